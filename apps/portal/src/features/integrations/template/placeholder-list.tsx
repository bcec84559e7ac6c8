import { Combobox, Text, useCombobox } from '@mantine/core';
import type { Placeholder } from '@steward/contract/integrations/placeholders';
import { useState } from 'react';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import classes from './template.module.css';

interface PlaceholderGroup {
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

/** The dropdown belongs in the main landmark of the page. */
const MAIN_PORTAL = { target: '#main' };

interface PlaceholderListProps {
  placeholders: readonly Placeholder[];
  onInsert: (text: string) => void;
}

/** The selected placeholder is inserted at the caret. */
export function PlaceholderList({ placeholders, onInsert }: PlaceholderListProps) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: (source) => {
      combobox.resetSelectedOption();
      // Otherwise the focus moves to the editor with the inserted placeholder.
      if (source === 'keyboard') combobox.focusTarget();
      setSearch('');
    },
  });
  const submit = (name: string) => {
    const placeholder = placeholders.find((one) => one.name === name);
    combobox.closeDropdown();
    if (placeholder !== undefined) onInsert(getInsertText(placeholder));
  };
  return (
    <Combobox
      store={combobox}
      position="bottom-end"
      width="min(26rem, calc(100vw - 32px))"
      // The list opens upward instead of covering the Save button, which stays at the bottom of the screen.
      middlewares={{ shift: true, flip: { padding: { top: 56, bottom: 72 } } }}
      shadow="md"
      withinPortal
      portalProps={MAIN_PORTAL}
      keepMounted={false}
      onOptionSubmit={submit}
    >
      <Combobox.Target targetType="button">
        <RowButton rightSection={<Icon name="chevron" size={14} />} onClick={() => combobox.toggleDropdown()}>
          Placeholders
        </RowButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Search placeholders"
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          placeholder="Search placeholders"
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        <Found placeholders={placeholders} search={search} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Found({ placeholders, search }: { placeholders: readonly Placeholder[]; search: string }) {
  const groups = groupPlaceholders(placeholders, search);
  return (
    <Combobox.Options className={classes.placeholders ?? ''} aria-label="Placeholders">
      {groups.length === 0 && <Combobox.Empty>No matching placeholders.</Combobox.Empty>}
      {groups.map(({ group, placeholders: members }) => (
        <Combobox.Group key={group} label={group}>
          {members.map(({ name, meaning }) => (
            <Combobox.Option key={name} value={name}>
              <code>{name}</code>
              <Text className={classes.meaning ?? ''} size="xs">
                {meaning}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  );
}
