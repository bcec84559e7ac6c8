import type { FastifyInstance } from 'fastify';
import { Refusal } from './errors.ts';

/** Deepest nesting of JSON in requests. No schema has more than ten levels. */
export const JSON_DEPTH_MAX = 64;
/** Most values in the JSON of a request. A SCIM group of 20,000 members has 100,000. */
export const JSON_VALUES_MAX = 125_000;
/** Most keys of an object in a request. An object with very many keys is slow to make and to read; no schema has more than 100. */
export const JSON_KEYS_MAX = 5_000;

interface JsonLimits {
  depth?: number;
  values?: number;
}

/**
 * The reason not to parse a JSON text that may be valid: parsing and checking it could take seconds, or exceed the stack.
 * Takes linear time, and stops at the first excess.
 */
export function findJsonExcess(
  text: string,
  { depth: depthMax = JSON_DEPTH_MAX, values: valuesMax = JSON_VALUES_MAX }: JsonLimits = {},
): string | undefined {
  let depth = 0;
  let values = 0;
  /** Keys of the open objects; lists have none. */
  const keys: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = findStringEnd(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        keys[depth] = text.charCodeAt(at) === 0x7b ? 1 : Number.NEGATIVE_INFINITY;
        depth += 1;
        values += 1;
        if (depth > depthMax) return `The JSON is nested more than ${depthMax} levels deep.`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        // Not JSON; the parser says so.
        if (depth < 0) return undefined;
        break;
      case 0x2c: // ,
        values += 1;
        keys[depth - 1] = (keys[depth - 1] ?? 0) + 1;
        if ((keys[depth - 1] ?? 0) > JSON_KEYS_MAX)
          return `The JSON has an object with more than ${JSON_KEYS_MAX} keys.`;
        break;
    }
    if (values > valuesMax) return `The JSON has more than ${valuesMax} values.`;
  }
  return undefined;
}

/** The index of the quotation mark that ends a string, or the end of the text. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

/** Throws a SyntaxError for text that isn't JSON or exceeds the limits. */
export function parseJson(text: string, limits?: JsonLimits): unknown {
  const excess = findJsonExcess(text, limits);
  if (excess !== undefined) throw new SyntaxError(excess);
  return JSON.parse(text);
}

/** JSON with one of these media types becomes the only body that routes of this scope accept. */
export function acceptOnlyJson(scope: FastifyInstance, mediaTypes: string[]): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(mediaTypes, { parseAs: 'string' }, (request, given, done) => {
    const body = given as string;
    // A proxy may drop the body of a DELETE but keep its content type, so an empty body counts as none.
    if (body === '') return done(null, undefined);
    const excess = findJsonExcess(body);
    if (excess !== undefined) return done(new Refusal('request.invalid', excess));
    void parse(request, body, done);
  });
}
