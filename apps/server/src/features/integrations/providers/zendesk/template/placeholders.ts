import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';

const NAMES = new Set(PLACEHOLDERS.map(({ name }) => name));
const GROUPS = new Set(
  PLACEHOLDERS.flatMap(({ name }) => [...name.matchAll(/\./g)].map(({ index }) => name.slice(0, index))),
);
const PERSON = 'ticket.requester';
const COMMENT = 'ticket.latest_public_comment';

/** Common mistakes: names from other products or from Zendesk's screens. */
const MEANT: Record<string, string> = {
  'ticket.subject': 'ticket.title',
  'ticket.type': 'ticket.ticket_type',
  'ticket.number': 'ticket.id',
  'ticket.state': 'ticket.status',
  'ticket.comment': 'ticket.latest_public_comment.value',
  'comment.value': 'ticket.latest_public_comment.value',
  'ticket.requester_name': 'ticket.requester.name',
};

/** Zendesk knows placeholders and their prefixes. Indexes are numbers, or null if dynamic. */
export function isKnown(path: readonly (string | number | null)[]): boolean {
  const name = getPlaceholderFamily(path);
  return NAMES.has(name) || isGroup(name) || ANY.test(name);
}

/** True for an object whose fields are placeholders: it has no useful output of its own. */
export function isGroup(name: string): boolean {
  const family = getPlaceholderFamily(name.split('.'));
  return GROUPS.has(family) || /\.(?:ccs|attachments|public_comments|comments)$/.test(name) || family === COMMENT;
}

const ANY =
  /^(?:dc\.\w+|ticket\.ticket_field_(?:option_title_)?\d+|(?:ticket|ticket\.requester|ticket\.organization)\.custom_fields(?:\..+)?|.+\.attachments\.\w+|.+\.size)$/;

/** The canonical name of a path: all users have the same fields, as do comments and organizations. */
function getPlaceholderFamily(path: readonly (string | number | null)[]): string {
  return path
    .filter((part, index) => typeof part === 'string' && !(index > 1 && (part === 'first' || part === 'last')))
    .join('.')
    .replace(/^ticket\.(?:comments|public_comments|latest_comment)(?=\.|$)/, COMMENT)
    .replace(/^ticket\.latest_public_comment\.author(?=\.|$)/, PERSON)
    .replace(/^(?:ticket\.(?:assignee|submitter|ccs)|current_user|agent)(?=\.|$)/, PERSON)
    .replace(/^ticket\.requester\.organization(?=\.|$)/, 'ticket.organization')
    .replace(/^(ticket\.(?:requester|organization)\.custom_fields)\..+$/, '$1.<key>');
}

/** The placeholder that was probably intended. */
export function suggestionFor(name: string): string | null {
  const low = name.toLowerCase();
  const meant = MEANT[low] ?? [low, `ticket.${low}`].find((each) => NAMES.has(each));
  if (meant) return meant;
  const nearest = findNearest(low, [...NAMES]);
  const last = name.slice(name.lastIndexOf('.') + 1);
  return nearest && nearest.distance <= Math.max(1, last.length / 2.5) ? nearest.name : null;
}

/** The name with the smallest edit distance. */
export function findNearest(text: string, names: readonly string[]): { name: string; distance: number } | null {
  let nearest: { name: string; distance: number } | null = null;
  for (const name of names) {
    const distance = distanceBetween(text, name);
    if (!nearest || distance < nearest.distance) nearest = { name, distance };
  }
  return nearest;
}

function distanceBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (other[column - 1] === character ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
