import type { ErrorId } from '@steward/contract/api/errors';
import { SCIM_CONDITIONS_MAX, SCIM_FILTER_MAX } from '@steward/contract/api/limits';
import { refuse } from '#platform/http/errors.ts';
import { COMPARISONS, type Comparison, type Filter, type FilterValue, type Path } from './filter.ts';

interface Token {
  kind: 'name' | 'text' | 'number' | 'bracket';
  text: string;
}

const PATTERNS: readonly [Token['kind'], RegExp][] = [
  ['bracket', /[()[\]]/y],
  // Strings have the syntax of JSON.
  ['text', /"(?:[^"\\]|\\.)*"/y],
  ['number', /-?\d+(?:\.\d+)?(?=[\s)\]]|$)/y],
  // An attribute with the URN of its schema, or a keyword. `$ref` is an attribute too.
  ['name', /(?:urn:[A-Za-z0-9._:-]+:)?\$?[A-Za-z][\w-]*(?:\.\$?[A-Za-z][\w-]*)?/y],
  // After a value filter: `emails[…].value`.
  ['name', /\.\$?[A-Za-z][\w-]*/y],
];

/** Returns undefined if the text contains anything else. */
function tokenize(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    const token = readToken(text, at);
    if (token === undefined) return undefined;
    tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function readToken(text: string, at: number): Token | undefined {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

/** Removes the name of the schema and converts to lowercase: attribute names are case-insensitive. */
export function toAttribute(name: string): string {
  return (/^urn:/i.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name).toLowerCase();
}

/** Refuses an invalid or overlong filter. */
export function parseFilter(text: string): Filter {
  const reader = createReader(text, 'scim.invalid_filter');
  const filter = readOr(reader, 0);
  if (reader.peek() !== undefined) reader.fail();
  return filter;
}

export function parsePath(text: string): Path {
  const reader = createReader(text, 'scim.invalid_path');
  const name = reader.take('name');
  const [attribute = '', sub] = toAttribute(name).split('.');
  if (attribute === '') reader.fail();
  const path: Path = { attribute, ...(sub !== undefined && { sub }) };
  if (sub === undefined && reader.skip('[')) {
    path.filter = readOr(reader, 0);
    reader.expect(']');
    const rest = reader.peek();
    if (rest?.text.startsWith('.')) path.sub = reader.take('name').slice(1).toLowerCase();
  }
  if (reader.peek() !== undefined) reader.fail();
  return path;
}

interface Reader {
  peek(): Token | undefined;
  take(kind: Token['kind']): string;
  skip(text: string): boolean;
  expect(text: string): void;
  count(): void;
  fail(): never;
}

function createReader(text: string, error: ErrorId): Reader {
  const fail = (): never =>
    refuse(error, error === 'scim.invalid_path' ? `Invalid path: ${text.slice(0, 200)}` : undefined);
  const tokens = text.length > SCIM_FILTER_MAX ? undefined : tokenize(text);
  if (tokens === undefined || tokens.length === 0) return fail();
  let at = 0;
  let conditions = 0;
  const skip = (wanted: string) => {
    const token = tokens[at];
    if (token === undefined || token.kind === 'text' || token.text.toLowerCase() !== wanted) return false;
    at += 1;
    return true;
  };
  return {
    peek: () => tokens[at],
    take(kind) {
      const token = tokens[at];
      if (token?.kind !== kind) return fail();
      at += 1;
      return token.text;
    },
    skip,
    expect: (wanted) => void (skip(wanted) || fail()),
    count() {
      conditions += 1;
      if (conditions > SCIM_CONDITIONS_MAX) fail();
    },
    fail,
  };
}

/** Limits recursion into nested brackets. */
const DEPTH_MAX = 10;

// `and` has precedence over `or`.
function readOr(reader: Reader, depth: number): Filter {
  let filter = readAnd(reader, depth);
  while (reader.skip('or')) filter = { kind: 'or', filters: [filter, readAnd(reader, depth)] };
  return filter;
}

function readAnd(reader: Reader, depth: number): Filter {
  let filter = readOne(reader, depth);
  while (reader.skip('and')) filter = { kind: 'and', filters: [filter, readOne(reader, depth)] };
  return filter;
}

function readOne(reader: Reader, depth: number): Filter {
  reader.count();
  if (depth > DEPTH_MAX) reader.fail();
  const negated = reader.skip('not');
  if (reader.skip('(')) {
    const filter = readOr(reader, depth + 1);
    reader.expect(')');
    return negated ? { kind: 'not', filter } : filter;
  }
  if (negated) reader.fail();
  const attribute = toAttribute(reader.take('name'));
  if (attribute.startsWith('.')) reader.fail();
  if (reader.skip('[')) {
    const filter = readOr(reader, depth + 1);
    reader.expect(']');
    return { kind: 'some', attribute, filter: readPart(reader, filter) };
  }
  return readComparison(reader, attribute);
}

/** Microsoft Entra ID sends `emails[type eq "work"].value eq "x"`. RFC 7644 allows this only in paths. */
function readPart(reader: Reader, filter: Filter): Filter {
  const next = reader.peek();
  if (next?.kind !== 'name' || !next.text.startsWith('.')) return filter;
  const part = reader.take('name').slice(1).toLowerCase();
  return { kind: 'and', filters: [filter, readComparison(reader, part)] };
}

function readComparison(reader: Reader, attribute: string): Filter {
  const operator = reader.take('name').toLowerCase();
  if (operator === 'pr') return { kind: 'present', attribute };
  if (!isComparison(operator)) return reader.fail();
  return { kind: 'compare', attribute, comparison: operator, value: readValue(reader) };
}

function isComparison(operator: string): operator is Comparison {
  return (COMPARISONS as readonly string[]).includes(operator);
}

const WORDS: Readonly<Record<string, FilterValue>> = { true: true, false: false, null: null };

function readValue(reader: Reader): FilterValue {
  const token = reader.peek();
  if (token?.kind === 'text') return parseText(reader.take('text')) ?? reader.fail();
  if (token?.kind === 'number') return Number(reader.take('number'));
  const word = reader.take('name').toLowerCase();
  const value = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  return value === undefined ? reader.fail() : value;
}

function parseText(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}
