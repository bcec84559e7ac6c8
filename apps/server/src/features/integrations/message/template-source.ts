import { TEMPLATE_MAX } from '@steward/contract/api/limits';
import { Tokenizer, TokenKind } from 'liquidjs';
import type { LiquidError } from './liquid-error.ts';

const NESTING_MAX = 50;
/** Placeholders and tags in a template, and characters in one of them. */
const CODE_MAX = 1_000;
const CODE_LENGTH_MAX = 2_000;

/** The text of a template that came in base64, or why it is none. */
export function decodeTemplate(message: string): { source: string; refused?: string } {
  const bytes = Buffer.from(message, 'base64');
  if (bytes.toString('base64') !== message) return { source: '', refused: 'The template is not base64.' };
  if (bytes.length > TEMPLATE_MAX) {
    const [size, most] = [bytes.length, TEMPLATE_MAX].map((number) => number.toLocaleString('en-US'));
    return { source: '', refused: `The template has ${size} bytes; it may have ${most}.` };
  }
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { source: '', refused: 'The template is not text in UTF-8.' };
  }
  if (source.includes('\0')) return { source: '', refused: 'The template holds a character that no text has (NUL).' };
  return source.trim() === '' ? { source, refused: 'Please write the message.' } : { source };
}

/** Why a template is refused unread: parsing it would take too long, or too much of the stack. */
export function findTooComplex(source: string): LiquidError | null {
  const code = new Tokenizer(source).readTopLevelTokens().filter(({ kind }) => kind !== TokenKind.HTML);
  if (code.length > CODE_MAX)
    return { text: `The template has more than ${CODE_MAX} placeholders and tags.`, at: null };
  let depth = 0;
  for (const { begin, end } of code) {
    const text = source.slice(begin, end);
    if (text.length > CODE_LENGTH_MAX) return { text: 'What stands between these braces is too long.', at: begin };
    const name = /^\{%-?\s*(\w+)/.exec(text)?.[1] ?? '';
    if (/^(?:if|unless|for|case|capture|tablerow|comment)$/.test(name)) depth += 1;
    if (name.startsWith('end')) depth -= 1;
    if (depth > NESTING_MAX) return { text: 'The template is nested too deeply.', at: begin };
  }
  return null;
}
