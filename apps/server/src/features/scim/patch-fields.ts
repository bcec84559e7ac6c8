import { text } from '@steward/contract/api/fields';
import { refuse } from '#platform/http/errors.ts';

/** An object of a request, by attributes in lowercase. Values that are null are absent, as in SCIM. */
export type Fields = ReadonlyMap<string, unknown>;

/** Reads an object; attributes that are no text in a plain object can't reach anything else. */
export function readFields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    refuse('scim.invalid_syntax', `${name}: must be an object`);
  const present = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return new Map(present.map(([key, each]) => [key.toLowerCase(), each]));
}

/** Refuses a body that doesn't say which of the schemas it has. */
export function requireSchema(body: Fields, schema: string): void {
  const schemas = body.get('schemas');
  const isNamed =
    Array.isArray(schemas) &&
    schemas.some((each) => typeof each === 'string' && each.toLowerCase() === schema.toLowerCase());
  if (!isNamed) refuse('scim.invalid_syntax', `schemas: must have ${schema}`);
}

/** A text of at most so many characters, without blanks around it; null if it is absent or empty. */
export function readText(value: unknown, name: string, maxLength: number): string | null {
  if (value === undefined || value === null) return null;
  const parsed = text(maxLength).safeParse(unwrap(value));
  if (!parsed.success)
    refuse(
      'scim.invalid_value',
      `${name}: ${parsed.error.issues[0]?.code === 'invalid_type' ? 'must be a text' : parsed.error.issues[0]?.message}`,
    );
  const trimmed = parsed.data.trim();
  return trimmed === '' ? null : trimmed;
}

/** A boolean; Microsoft Entra ID sends texts such as "False" unless it is told otherwise. */
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

/** A list, or a single value as a list of one. */
export function readList(value: unknown, name: string, most: number): unknown[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > most) refuse('scim.invalid_value', `${name}: has more than ${most} values`);
  return list;
}
