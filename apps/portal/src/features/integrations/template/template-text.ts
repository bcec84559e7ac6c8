export interface Range {
  start: number;
  end: number;
}

/** `String.fromCharCode` fails with too many arguments, so it gets this many characters per call. */
const CHUNK = 8_192;

/** The API takes base64 of UTF-8. */
export function encodeTemplate(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** Line breaks become line feeds, as in a text field. */
export function decodeTemplate(message: string): string {
  const bytes = Uint8Array.from(atob(message), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
}

/** Returns the nearest offset if the text has become shorter. */
export function getOffset(text: string, { line, column }: { line: number; column: number }): number {
  const lines = text.split('\n');
  const index = Math.min(line, lines.length) - 1;
  const before = lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, lines[index]?.length ?? 0);
}

/** The offset may also be after the braces or the filter bar of the name. */
export function findNameAt(text: string, at: number): Range | undefined {
  const found = /^(?:\{\{-?|\|)?\s*([\w-]+(?:\.[\w-]+|\[[^\]\n]*\])*)/.exec(text.slice(at));
  if (found?.[1] === undefined) return undefined;
  const end = at + found[0].length;
  return { start: end - found[1].length, end };
}

/** The user fills in the part in angle brackets. */
export function findParameter(insert: string): Range | undefined {
  const found = /<\w+>/.exec(insert);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** If the field never had the focus, text is inserted at the end of the last string. */
export function findFirstCaret(text: string): number {
  const quote = text.lastIndexOf('"');
  return quote < 0 ? text.length : quote;
}
