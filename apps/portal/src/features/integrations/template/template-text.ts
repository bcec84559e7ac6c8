/** A piece of a text, by its characters. */
export interface Range {
  start: number;
  end: number;
}

/** Characters that `String.fromCharCode` is given at once; more than some ten thousand are too many arguments. */
const CHUNK = 8_192;

/** A template as it is sent and stored: base64 of UTF-8 (spec §2). */
export function encodeTemplate(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** A stored template as it is read; with the line ends of a text field, which knows no others. */
export function decodeTemplate(message: string): string {
  const bytes = Uint8Array.from(atob(message), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes).replaceAll(/\r\n?/g, '\n');
}

/** The character at a line and column, both counted from 1; the nearest one where the text has become shorter. */
export function getOffset(text: string, { line, column }: { line: number; column: number }): number {
  const lines = text.split('\n');
  const index = Math.min(line, lines.length) - 1;
  const before = lines.slice(0, index).reduce((sum, one) => sum + one.length + 1, 0);
  return before + Math.min(column - 1, lines[index]?.length ?? 0);
}

/** The name that a problem points at, or points before: the braces, or the bar of a filter. */
export function findNameAt(text: string, at: number): Range | undefined {
  const found = /^(?:\{\{-?|\|)?\s*([\w-]+(?:\.[\w-]+|\[[^\]\n]*\])*)/.exec(text.slice(at));
  if (found?.[1] === undefined) return undefined;
  const end = at + found[0].length;
  return { start: end - found[1].length, end };
}

/** A part in angle brackets, which somebody has to fill in: it is selected once it stands in the text. */
export function findBlank(insert: string): Range | undefined {
  const found = /<\w+>/.exec(insert);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

/** Where something is written before anybody has put the caret anywhere: at the end of the last string. */
export function findFirstCaret(text: string): number {
  const quote = text.lastIndexOf('"');
  return quote < 0 ? text.length : quote;
}
