import type { z } from 'zod';

/** Types that are copied as they are: nothing can hide in them. */
const PLAIN = new Set(['string', 'number', 'int', 'boolean', 'enum', 'literal', 'null']);

/**
 * Makes a function that keeps of an answer what its schema names and drops all else, at any depth, so that a secret
 * cannot slip out with a row. It trusts our own values to be of the types that the compiler saw: `parse` checks those
 * once more and takes a fifth of a list call for it. A field that is missing is refused like by `parse`; schemas of
 * other kinds than lists of plain objects are parsed.
 */
export function strippedTo(schema: z.core.$ZodType): (value: unknown) => unknown {
  const def = defOf(schema);
  if (PLAIN.has(def.type)) return asItIs;
  switch (def.type) {
    case 'object':
      return def.catchall ? parsedBy(schema) : ofObject(def.shape);
    case 'array':
      return ofArray(strippedTo(def.element));
    case 'record':
      return PLAIN.has(defOf(def.valueType).type) ? asItIs : parsedBy(schema);
    case 'optional':
    case 'nullable':
      return unlessAbsent(strippedTo(def.innerType));
    default:
      return parsedBy(schema);
  }
}

/** zod's public way to look into a schema. */
function defOf(schema: z.core.$ZodType) {
  return (schema as z.core.$ZodTypes)._zod.def;
}

const asItIs = (value: unknown): unknown => value;

function parsedBy(schema: z.core.$ZodType): (value: unknown) => unknown {
  return (value) => (schema as z.ZodType).parse(value);
}

function ofObject(shape: z.core.$ZodShape): (value: unknown) => unknown {
  const fields = Object.entries(shape).map(([name, field]) => {
    return { name, keep: strippedTo(field), isOptional: defOf(field).type === 'optional' };
  });
  return (value) => {
    const from = value as Record<string, unknown>;
    const kept: Record<string, unknown> = {};
    for (const { name, keep, isOptional } of fields) {
      const field = from[name];
      if (field !== undefined) kept[name] = keep(field);
      else if (!isOptional) throw new TypeError(`The answer lacks ${name}.`);
    }
    return kept;
  };
}

function ofArray(keep: (value: unknown) => unknown): (value: unknown) => unknown {
  return keep === asItIs ? asItIs : (value) => (value as unknown[]).map(keep);
}

function unlessAbsent(keep: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (value === null || value === undefined ? value : keep(value));
}
