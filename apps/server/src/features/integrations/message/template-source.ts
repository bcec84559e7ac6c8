import { TEMPLATE_MAX } from '@steward/contract/api/limits';
import { Tokenizer, TokenKind } from 'liquidjs';
import type { LiquidError } from './liquid-error.ts';

const NESTING_MAX = 50;
/** Limits for the number of placeholders and tags, and for the length of each. */
const CODE_MAX = 1_000;
const CODE_LENGTH_MAX = 2_000;

export function decodeTemplate(message: string): { source: string; refused?: string } {
  const bytes = Buffer.from(message, 'base64');
  if (bytes.toString('base64') !== message) return { source: '', refused: 'The template is not base64.' };
  if (bytes.length > TEMPLATE_MAX) {
    const [size, most] = [bytes.length, TEMPLATE_MAX].map((number) => number.toLocaleString('en-US'));
    return { source: '', refused: `The template has ${size} bytes; the maximum is ${most}.` };
  }
  let source: string;
  try {
    source = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { source: '', refused: "The template isn't valid UTF-8." };
  }
  if (source.includes('\0')) return { source: '', refused: 'The template contains a NUL character.' };
  return source.trim() === '' ? { source, refused: 'Enter a message.' } : { source };
}

/** A template is refused before parsing if it would take too long, or overflow the stack. */
export function findTooComplex(source: string): LiquidError | null {
  const code = new Tokenizer(source).readTopLevelTokens().filter(({ kind }) => kind !== TokenKind.HTML);
  if (code.length > CODE_MAX)
    return { text: `The template has more than ${CODE_MAX} placeholders and tags.`, at: null };
  let depth = 0;
  for (const { begin, end } of code) {
    const text = source.slice(begin, end);
    if (text.length > CODE_LENGTH_MAX) return { text: 'This placeholder or tag is too long.', at: begin };
    const name = /^\{%-?\s*(\w+)/.exec(text)?.[1] ?? '';
    if (/^(?:if|unless|for|case|capture|tablerow|comment)$/.test(name)) depth += 1;
    if (name.startsWith('end')) depth -= 1;
    if (depth > NESTING_MAX) return { text: 'The template is nested too deeply.', at: begin };
  }
  return null;
}
