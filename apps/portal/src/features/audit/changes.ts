import { compareFields, formatValue, getFileFormat, getLabel, NOTHING, type ValueFormat } from './audit-text.ts';

/** A side is undefined if there was no value before or after. */
export interface ChangedField {
  field: string;
  before: string | undefined;
  after: string | undefined;
}

export interface ChangedObject {
  title: string;
  fields: ChangedField[];
}

export interface ReadDetails {
  things: ChangedObject[];
  facts: { field: string; value: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** `before` and `after` can hold one object, a list of objects, or rules by name. Other lists of such changes name their users. */
export function readDetails(details: Fields, format: ValueFormat): ReadDetails {
  const { before, after, entries, ...rest } = details;
  const things = [
    ...toPairs(before, after).map((pair) => toChangedObject('', pair, format)),
    ...listFields(entries).map((entry) => toChangedObject('', { after: entry }, format)),
  ];
  const facts: ReadDetails['facts'] = [];
  for (const [field, value] of Object.entries(rest))
    if (isPair(value))
      things.push(
        toChangedObject(getLabel(field), { before: getFields(value.before), after: getFields(value.after) }, format),
      );
    else if (Array.isArray(value) && value.length > 0 && value.every(isPair))
      things.push(...value.map((change) => toChangeOfUsers(change, format)));
    else facts.push({ field: getLabel(field), value: formatValue(field, value, format) });
  return { things: things.filter(({ fields }) => fields.length > 0), facts };
}

function toChangeOfUsers(change: { before: unknown; after: unknown; user_ids?: unknown }, format: ValueFormat) {
  const title = formatValue('user_ids', change.user_ids, format);
  return toChangedObject(title, { before: getFields(change.before), after: getFields(change.after) }, format);
}

interface Pair {
  before?: Fields | undefined;
  after?: Fields | undefined;
}

/** Objects in lists are paired by their ids; a list of ids is a single field. */
function toPairs(before: unknown, after: unknown): Pair[] {
  if (isIds(before) && isIds(after)) return [{ before: { channels: before }, after: { channels: after } }];
  if (!Array.isArray(before) && !Array.isArray(after)) return [{ before: getFields(before), after: getFields(after) }];
  const then = new Map(listFields(before).map((thing) => [thing.id, thing]));
  return listFields(after).map((thing) => ({ before: then.get(thing.id), after: thing }));
}

function toChangedObject(title: string, { before, after }: Pair, format: ValueFormat): ChangedObject {
  const found = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const keys = [...found].filter((key) => key !== 'id').sort(compareFields);
  const getText = (fields: Fields | undefined, key: string) => fields && formatValue(key, fields[key], format);
  const fields = keys
    .map((key) => ({ field: getLabel(key), before: getText(before, key), after: getText(after, key) }))
    // A field that is empty on both sides is left out.
    .filter((each) => (each.before ?? NOTHING) !== NOTHING || (each.after ?? NOTHING) !== NOTHING);
  return { title: title || String(after?.name ?? before?.name ?? ''), fields };
}

function isPair(value: unknown): value is { before: unknown; after: unknown } {
  return getFields(value) !== undefined && 'before' in (value as object) && 'after' in (value as object);
}

function isIds(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function listFields(list: unknown): Fields[] {
  return Array.isArray(list) ? list.map(getFields).filter((item) => item !== undefined) : [];
}

function getFields(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A change is reported only if both sides are known. */
export function isChanged({ before, after }: ChangedField): boolean {
  return before !== undefined && after !== undefined && before !== after;
}

/** The text has only changed fields, one line per object, because it fills a CSV cell. */
export function formatChanges(details: Fields, names: ValueFormat['names']): string {
  const { things, facts } = readDetails(details, getFileFormat(names));
  const lines = things.map(({ title, fields }) => {
    const shown = fields.filter((each) => isChanged(each) || each.before === undefined || each.after === undefined);
    const text = shown.map(({ field, before, after }) =>
      before === undefined || after === undefined ? `${field}: ${after ?? before}` : `${field}: ${before} → ${after}`,
    );
    return `${title === '' || text.length === 0 ? '' : `${title} – `}${text.join('; ')}`;
  });
  return [...lines, ...facts.map(({ field, value }) => `${field}: ${value}`)].filter((line) => line !== '').join('\n');
}
