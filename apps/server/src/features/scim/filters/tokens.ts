/** A word of a filter: an attribute, an operator, a value or a bracket. */
export interface Token {
  kind: 'name' | 'text' | 'number' | 'bracket';
  text: string;
}

const PATTERNS: readonly [Token['kind'], RegExp][] = [
  ['bracket', /[()[\]]/y],
  // As in JSON.
  ['text', /"(?:[^"\\]|\\.)*"/y],
  ['number', /-?\d+(?:\.\d+)?(?=[\s)\]]|$)/y],
  // An attribute with the URN of its schema, or a keyword. `$ref` is an attribute too.
  ['name', /(?:urn:[A-Za-z0-9._:-]+:)?\$?[A-Za-z][\w-]*(?:\.\$?[A-Za-z][\w-]*)?/y],
  // After a value filter: `emails[…].value`.
  ['name', /\.\$?[A-Za-z][\w-]*/y],
];

/** Splits a filter or a path; undefined if a part of it is none of these. */
export function tokenize(text: string): Token[] | undefined {
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

/** An attribute without the name of its schema, in lowercase: names of attributes are case-insensitive. */
export function toAttribute(name: string): string {
  return (/^urn:/i.test(name) ? name.slice(name.lastIndexOf(':') + 1) : name).toLowerCase();
}
