/** A range of characters. */
export interface Range {
  start: number;
  end: number;
}

/** Characters per call of `String.fromCharCode`, which fails with too many arguments. */
const CHUNK = 8_192;

/** Encodes a template for sending: base64 of UTF-8. */
export function encodeTemplate(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** Decodes a stored template, with line feeds as in a text field. */
export function decodeTemplate(message: string): string {
  const bytes = Uint8Array.from(atob(message), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
}

/** The offset of a position; the nearest one if the text has become shorter. */
export function getOffset(text: string, { line, column }: { line: number; column: number }): number {
  const lines = text.split('\n');
  const index = Math.min(line, lines.length) - 1;
  const before = lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, lines[index]?.length ?? 0);
}

/** The name at an offset, or after the braces or filter bar at that offset. */
export function findNameAt(text: string, at: number): Range | undefined {
  const found = /^(?:\{\{-?|\|)?\s*([\w-]+(?:\.[\w-]+|\[[^\]\n]*\])*)/.exec(text.slice(at));
  if (found?.[1] === undefined) return undefined;
  const end = at + found[0].length;
  return { start: end - found[1].length, end };
}

/** The part of an inserted text in angle brackets, which the user fills in. */
export function findParameter(insert: string): Range | undefined {
  const found = /<\w+>/.exec(insert);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** Where to insert if the field was never focused: at the end of the last string. */
export function findFirstCaret(text: string): number {
  const quote = text.lastIndexOf('"');
  return quote < 0 ? text.length : quote;
}
