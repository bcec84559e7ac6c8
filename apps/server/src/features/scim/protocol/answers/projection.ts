import { toAttribute } from '../../filters/parse-filter.ts';

/** A request can list the attributes to return or to omit (RFC 7644, section 3.9). */
export interface Projection {
  attributes: ReadonlySet<string>;
  excluded: ReadonlySet<string>;
}

/** Each parameter is a comma-separated text, or a list in JSON. */
export function readProjection(attributes: unknown, excluded: unknown): Projection {
  return { attributes: readNames(attributes), excluded: readNames(excluded) };
}

function readNames(value: unknown): ReadonlySet<string> {
  const names = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [];
  return new Set(names.map((name) => toAttribute(String(name).trim())).filter((name) => name !== ''));
}

/** An attribute that isn't returned needn't be read. */
export function asksFor({ attributes, excluded }: Projection, attribute: string): boolean {
  if (attributes.size === 0) return !excluded.has(attribute);
  return [...attributes].some((name) => name === attribute || name.startsWith(`${attribute}.`));
}

const ALWAYS: ReadonlySet<string> = new Set(['id', 'schemas']);

export function project<Value extends object>(resource: Value, projection: Projection): Partial<Value> {
  const entries = Object.entries(resource).flatMap(([name, value]) => {
    const key = name.toLowerCase();
    if (ALWAYS.has(key)) return [[name, value]];
    return asksFor(projection, key) ? [[name, projectParts(value, key, projection)]] : [];
  });
  return Object.fromEntries(entries);
}

function projectParts(value: unknown, key: string, projection: Projection): unknown {
  const { attributes, excluded } = projection;
  const isWhole = attributes.size === 0 || attributes.has(key);
  const isKept = (part: string) => (isWhole ? !excluded.has(`${key}.${part}`) : attributes.has(`${key}.${part}`));
  const keep = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).filter(([part]) => isKept(part.toLowerCase())));
  };
  return Array.isArray(value) ? value.map(keep) : keep(value);
}
