import { MESSAGE_MAX } from '@steward/contract/api/limits';
import { cleaned, escapeCodeBlock, escapeMarkup } from './escape-markup.ts';
import { findJsonError } from './find-json-error.ts';
import { lineAndColumn } from './template-positions.ts';

/** The message that a delivery becomes, and what an admin should know of it. */
export interface ChatText {
  /** Ready to be posted; '' for nothing to post. */
  text: string;
  note: string;
}

interface TextOptions {
  /** Source of a regular expression: what matches stays a link. */
  links?: string;
  /** Comes before the text. */
  prefix?: string;
}

const EMPTY = 'There was no text to post.';
const NOT_UTF8 = 'The body was not in UTF-8; what could not be read is shown as \ufffd.';
const REPAIRED = 'The JSON held line breaks or control characters within quotes; they were repaired.';
const NOT_OBJECT = 'The body was not a JSON object; it was posted as it came.';
const TOO_DEEP = 'The JSON was nested too deeply; it was posted as it came.';
const CUT = 'The text was too long for a message and was cut.';

/** Makes the message of what a help desk delivered. Takes anything, never throws: what it cannot read is posted as it came. */
export function toChatText(body: string | Uint8Array, { links = '', prefix = '' }: TextOptions = {}): ChatText {
  const { text, isUtf8 } = decoded(body);
  const { said, note } = saidIn(text);
  const plain = cleaned(said ?? text);
  if (plain === '') return { text: '', note: EMPTY };
  const fitting =
    said === null ? fitted(plain, escapeCodeBlock) : fitted(prefix + plain, (part) => escapeMarkup(part, links));
  const notes = [isUtf8 ? '' : NOT_UTF8, note, fitting.isCut ? CUT : ''];
  return { text: fitting.text, note: notes.filter((each) => each !== '').join(' ') };
}

function decoded(body: string | Uint8Array): { text: string; isUtf8: boolean } {
  if (typeof body === 'string') return { text: body, isUtf8: true };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), isUtf8: true };
  } catch {
    return { text: new TextDecoder().decode(body), isUtf8: false };
  }
}

/** The words of a body; null when they cannot be read. */
function saidIn(body: string): { said: string | null; note: string } {
  const asSent = parsed(body);
  const value = asSent ?? parsed(repaired(body));
  if (value === undefined) {
    const { at, text } = findJsonError(body) ?? { at: 0, text: 'it cannot be read' };
    const { line, column } = lineAndColumn(body, at);
    return {
      said: null,
      note: `The body was not JSON (line ${line}, column ${column}: ${text}); it was posted as it came.`,
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { said: null, note: NOT_OBJECT };
  try {
    return { said: toWords(value), note: asSent === undefined ? REPAIRED : '' };
  } catch {
    return { said: null, note: TOO_DEEP };
  }
}

function toWords(value: object): string {
  const entries: [string, unknown][] = Object.entries(value);
  const own = ['text', 'message'].map((key) => entries.find(([name]) => name === key)?.[1]);
  const texts = own.filter((each) => typeof each === 'string');
  if (texts.length > 0) return texts.find((each) => each.trim() !== '') ?? '';
  return entries.map(([key, each]) => `${cleaned(key).replaceAll('\n', ' ')}: ${toLine(each)}`).join('\n');
}

/** Further lines of a value are set in, so that they do not look like keys. */
function toLine(value: unknown): string {
  return typeof value === 'string' ? cleaned(value).replaceAll('\n', '\n  ') : JSON.stringify(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Control characters within quotes as JSON writes them. */
function repaired(text: string): string {
  return text.replaceAll(/"(?:[^"\\]+|\\.)*"?/gs, (quoted) =>
    quoted.replaceAll(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** As much of a text as a message holds once it is dressed. Dressing makes some texts longer than others. */
function fitted(plain: string, dress: (part: string) => string): { text: string; isCut: boolean } {
  const whole = plain.length <= MESSAGE_MAX ? dress(plain) : '';
  if (whole !== '' && whole.length <= MESSAGE_MAX) return { text: whole, isCut: false };
  // No half of a character at the end.
  const cutAt = (length: number) => dress(`${plain.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`);
  let [fits, tooLong] = [0, MESSAGE_MAX];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (cutAt(middle).length <= MESSAGE_MAX) fits = middle;
    else tooLong = middle;
  }
  return { text: cutAt(fits), isCut: true };
}
