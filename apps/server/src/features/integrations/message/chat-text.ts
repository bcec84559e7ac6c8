import { MESSAGE_MAX } from '@steward/contract/api/limits';
import { cleanCharacters, cutMessage, escapeCodeBlock, escapeMarkup, trimmed } from './escape-markup.ts';
import { findJsonError } from './find-json-error.ts';
import { lineAndColumn } from './template-problems.ts';

/** The message for a delivery, with a note for the admin. */
export interface ChatText {
  /** Ready to be posted; '' if there is nothing to post. */
  text: string;
  note: string;
}

const EMPTY = 'There was no text to post.';
const NOT_UTF8 = "The body wasn't valid UTF-8; invalid bytes are shown as \ufffd.";
const REPAIRED = 'The JSON had unescaped line breaks or control characters in quotes; they were repaired.';
const NOT_OBJECT = "The body wasn't a JSON object; it was posted unchanged.";
const TOO_DEEP = 'The JSON was nested too deeply; it was posted unchanged.';
const CUT = 'The text was too long for a message and was cut.';

/**
 * Turns the body of a delivery into a message with this before it. Accepts anything and never throws: an unreadable body is
 * posted unchanged. The whole text counts as a value from outside.
 */
export function toChatText(body: string | Uint8Array, prefix = ''): ChatText {
  const { text, isUtf8 } = decoded(body);
  const { content, note } = readContent(text);
  const plain = cleaned(content ?? text);
  if (plain === '') return { text: '', note: EMPTY };
  const fitting =
    content === null ? escapeCodeBlock(plain, MESSAGE_MAX) : cutMessage(prefix + escapeMarkup(plain), MESSAGE_MAX);
  const notes = [isUtf8 ? '' : NOT_UTF8, note, fitting.isCut ? CUT : ''];
  return { text: fitting.text, note: notes.filter((each) => each !== '').join(' ') };
}

/** A message that a template rendered, with its values escaped. */
export function toMessageText(rendered: string, prefix = ''): ChatText {
  const message = trimmed(rendered);
  if (message === '') return { text: '', note: EMPTY };
  const { text, isCut } = cutMessage(prefix + message, MESSAGE_MAX);
  return { text, note: isCut ? CUT : '' };
}

function cleaned(text: string): string {
  return trimmed(cleanCharacters(text));
}

function decoded(body: string | Uint8Array): { text: string; isUtf8: boolean } {
  if (typeof body === 'string') return { text: body, isUtf8: true };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), isUtf8: true };
  } catch {
    return { text: new TextDecoder().decode(body), isUtf8: false };
  }
}

/** The text in a JSON body; null if the body can't be read. */
function readContent(body: string): { content: string | null; note: string } {
  const asSent = parsed(body);
  const value = asSent ?? parsed(repaired(body));
  if (value === undefined) {
    const { at, text } = findJsonError(body) ?? { at: 0, text: 'unreadable' };
    const { line, column } = lineAndColumn(body, at);
    return {
      content: null,
      note: `The body wasn't valid JSON (line ${line}, column ${column}: ${text}); it was posted unchanged.`,
    };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { content: null, note: NOT_OBJECT };
  try {
    return { content: toText(value), note: asSent === undefined ? REPAIRED : '' };
  } catch {
    return { content: null, note: TOO_DEEP };
  }
}

function toText(value: object): string {
  const entries: [string, unknown][] = Object.entries(value);
  const own = ['text', 'message'].map((key) => entries.find(([name]) => name === key)?.[1]);
  const texts = own.filter((each) => typeof each === 'string');
  if (texts.length > 0) return texts.find((each) => each.trim() !== '') ?? '';
  return entries.map(([key, each]) => `${cleaned(key).replaceAll('\n', ' ')}: ${toLine(each)}`).join('\n');
}

/** Further lines of a value are indented, so that they don't look like keys. */
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

/** Escapes control characters in JSON strings. */
function repaired(text: string): string {
  return text.replaceAll(/"(?:[^"\\]+|\\.)*"?/gs, (quoted) =>
    quoted.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
