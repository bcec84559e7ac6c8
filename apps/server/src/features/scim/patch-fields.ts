import { text } from '@steward/contract/api/fields';
import { refuse } from '#platform/http/errors.ts';

/** Schemas by length: making one takes far longer than using it, and a group has thousands of members. */
const TEXTS = new Map<number, ReturnType<typeof text>>();

function getTextSchema(maxLength: number): ReturnType<typeof text> {
  const schema = TEXTS.get(maxLength) ?? text(maxLength);
  TEXTS.set(maxLength, schema);
  return schema;
}

/** Keys are attributes in lowercase. Null values are omitted, because SCIM treats them as absent. */
export type Fields = ReadonlyMap<string, unknown>;

/** A Map, so that attribute names of a request can't reach the prototype of an object. */
export function readFields(value: unknown, name: string): Fields {
  return new Map([...readFieldsWithNull(value, name)].filter(([, each]) => each !== null));
}

export function readFieldsWithNull(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('scim.invalid_syntax', `${name}: must be an object`);
  return new Map(Object.entries(value).map(([key, each]) => [key.toLowerCase(), each]));
}

export function requireSchema(body: Fields, schema: string): void {
  const schemas = body.get('schemas');
  const isNamed =
    Array.isArray(schemas) &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === schema.toLowerCase());
  if (!isNamed) refuse('scim.invalid_syntax', `schemas: must have ${schema}`);
}

/** Trims the text; null if it is absent or empty. `maxLength` is in characters. */
export function readText(value: unknown, name: string, maxLength: number): string | null {
  if (value === undefined || value === null) return null;
  const parsed = getTextSchema(maxLength).safeParse(unwrap(value));
  if (!parsed.success)
    refuse(
      'scim.invalid_value',
      `${name}: ${parsed.error.issues[0]?.code === 'invalid_type' ? 'must be a text' : parsed.error.issues[0]?.message}`,
    );
  const trimmed = parsed.data.trim();
  return trimmed === '' ? null : trimmed;
}

/** Microsoft Entra ID sends texts such as "False" unless it is configured otherwise. */
export function readBoolean(value: unknown, name: string): boolean {
  const plain = unwrap(value);
  if (typeof plain === 'boolean') return plain;
  const word = typeof plain === 'string' ? plain.toLowerCase() : '';
  if (word !== 'true' && word !== 'false') refuse('scim.invalid_value', `${name}: must be true or false`);
  return word === 'true';
}

/** Some clients wrap a single value: `[{ "value": "x" }]`. */
function unwrap(value: unknown): unknown {
  if (!Array.isArray(value) || value.length !== 1) return value;
  const [only] = value;
  return typeof only === 'object' && only !== null && 'value' in only ? only.value : value;
}

/** A single value counts as a list of one. */
export function readList(value: unknown, name: string, most: number): unknown[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > most) refuse('scim.invalid_value', `${name}: has more than ${most} values`);
  return list;
}
