import type { Placeholder } from '@steward/contract/integrations/placeholders';

export interface PlaceholderGroup {
  group: string;
  placeholders: readonly Placeholder[];
}

/** A placeholder matches if its name, meaning or heading contains every search word. */
export function groupPlaceholders(placeholders: readonly Placeholder[], search: string): readonly PlaceholderGroup[] {
  const words = search.toLowerCase().match(/[^\s{}]+/g) ?? [];
  const found = placeholders.filter(({ name, meaning, group }) => {
    const text = `${name} ${meaning} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = new Map<string, Placeholder[]>();
  for (const placeholder of found)
    groups.set(placeholder.group, [...(groups.get(placeholder.group) ?? []), placeholder]);
  return [...groups].map(([group, members]) => ({ group, placeholders: members }));
}

export function getInsertText({ name, insert }: Placeholder): string {
  return insert ?? `{{${name}}}`;
}
