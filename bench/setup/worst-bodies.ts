import { newId } from '@steward/server/src/platform/database/ids.ts';
import { z } from 'zod';

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  maxItems?: number;
  maxLength?: number;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  maximum?: number;
}

/** Fills a string of a length. Each is slow for some kind of careless code. */
type Filler = (length: number) => string;

const repeat =
  (unit: string, end = ''): Filler =>
  (length) =>
    (unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.max(0, length - end.length)) + end).slice(0, length);

const NESTED_LOOPS = '{% for a in (1..1000000) %}{% for b in (1..1000000) %}x{% endfor %}{% endfor %}';

export const FILLERS: Record<string, Filler> = {
  ids: () => newId(),
  addresses: (length) => `${newId()}@example.test`.slice(0, Math.max(length, 6)),
  'one letter': repeat('a', '!'),
  'marks that combine': repeat('\u0315\u0300'),
  'letters that expand': repeat('\ufdfa'),
  spaces: repeat(' ', 'x'),
  'parts of addresses': repeat('a.', '@'),
  'at signs': repeat('a@', '.'),
  quotes: repeat('"', 'x'),
  'brackets that open': repeat('(['),
  'slashes and dots': repeat('/../'),
  'half characters': repeat('\ud83d'),
  'template tags': repeat('{{ a | ', '}}'),
  'nested loops': (length) => (length >= NESTED_LOOPS.length ? NESTED_LOOPS : repeat('{% if a %}')(length)),
  commas: repeat(',;\n"'),
  digits: repeat('9'),
};

/** Values of the schema as large as it allows, within about `bytes` of JSON. */
function fill(schema: JsonSchema, filler: Filler, bytes: number): unknown {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined)
    return options.map((option) => fill(option, filler, bytes)).toSorted((a, b) => measure(b) - measure(a))[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'array') return fillList(schema, filler, bytes);
  if (schema.type === 'object') return fillObject(schema, filler, bytes);
  if (schema.type === 'number' || schema.type === 'integer') return schema.maximum ?? 1;
  if (schema.type === 'boolean') return true;
  if (schema.type === 'null') return null;
  return filler(Math.max(0, Math.min(schema.maxLength ?? Number.POSITIVE_INFINITY, Math.floor(bytes / 8))));
}

function fillList({ items = {}, maxItems = Number.POSITIVE_INFINITY }: JsonSchema, filler: Filler, bytes: number) {
  const list: unknown[] = [];
  let left = bytes - 2;
  while (list.length < maxItems) {
    const item = fill(items, filler, Math.min(left, 20_000));
    left -= measure(item) + 1;
    if (left < 0) break;
    list.push(item);
  }
  return list;
}

function fillObject({ properties = {}, additionalProperties }: JsonSchema, filler: Filler, bytes: number) {
  const fields = Object.entries(properties);
  const share = bytes / Math.max(1, fields.length) - 20;
  const entries = fields.map(([name, field]) => [name, fill(field, filler, share)]);
  if (typeof additionalProperties !== 'object') return Object.fromEntries(entries);
  let left = bytes;
  while (left > 0) {
    const entry = [newId(), fill(additionalProperties, filler, Math.min(left, 1_000))];
    left -= measure(entry);
    entries.push(entry);
  }
  return Object.fromEntries(entries);
}

const measure = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON texts of about `bytes` that no schema expects. */
export function listRawBodies(bytes: number): Record<string, string> {
  const many = (unit: string, size = unit.length) => unit.repeat(Math.floor((bytes - 100) / size));
  return {
    'an unknown list': `{"x":[${many('0,')}0]}`,
    'an unknown list of objects': `[${many('{},')}{}]`,
    'many keys': `{${Array.from({ length: bytes / 12 }, (_, at) => `"k${at}":0`).join(',')}}`,
    'one long string': JSON.stringify('é'.repeat(bytes / 2 - 10)),
    'a long key': `{${JSON.stringify('k'.repeat(bytes - 10))}:1}`,
    'deep lists': `{"x":${'['.repeat((bytes - 10) / 2)}${']'.repeat((bytes - 10) / 2)}}`,
    'lists as deep as allowed': `[${many(`${'['.repeat(60)}${']'.repeat(60)},`)}0]`,
    'a long number': `[${'9'.repeat(bytes - 2)}]`,
    'many escapes': `"${many('\\u0000')}"`,
    'a quote that isn’t closed': `["${'\\'.repeat(bytes - 3)}`,
  };
}

/** Bodies that fit the schema as far as JSON Schema tells: as a whole, and each large field alone in a valid body. */
export function listWorstBodies(schema: z.ZodType, valid: unknown, bytes: number): Record<string, string> {
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const bodies: Record<string, string> = {};
  for (const [name, filler] of Object.entries(FILLERS)) {
    const whole = fill(described, filler, bytes - 200);
    bodies[name] = JSON.stringify(whole);
    if (!isRecord(valid) || !isRecord(whole)) continue;
    for (const [field, value] of Object.entries(whole))
      if (measure(value) > 1_000) bodies[`${name} in ${field}`] = JSON.stringify({ ...valid, [field]: value });
  }
  if (!isRecord(valid)) return bodies;
  for (const field of Object.keys(described.properties ?? {})) {
    bodies[`many objects in ${field}`] = JSON.stringify({ ...valid, [field]: Array(Math.floor(bytes / 4)).fill({}) });
    bodies[`many marks in ${field}`] = JSON.stringify({ ...valid, [field]: '\u0315\u0300'.repeat(bytes / 5) });
  }
  return bodies;
}

/** Queries with long texts in each field that takes text. */
export function listWorstQueries(schema: z.ZodType, valid: Record<string, string>) {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const queries: Record<string, Record<string, string>> = {};
  for (const [field, property] of Object.entries(properties))
    for (const [name, filler] of Object.entries(FILLERS)) {
      // Node.js refuses headers of more than 16 KiB, and a character takes up to nine bytes in a URL.
      const value = fill(property, filler, 12_000);
      if (typeof value === 'string') queries[`${name} in ${field}`] = { ...valid, [field]: value.toWellFormed() };
    }
  return queries;
}
