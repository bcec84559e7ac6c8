import { TEMPLATE_MAX } from '@steward/contract/api/limits';
import type { TemplateProblem } from '@steward/contract/integrations';
import type { Template } from 'liquidjs';
import { Tokenizer, TokenKind } from 'liquidjs';
import { toChatText } from '../hook/chat-text.rules.ts';
import {
  EMPTY_TICKET,
  HOSTILE_TICKET,
  SAMPLE_RENDER_CONTEXT,
  SAMPLE_TICKET,
} from '../providers/zendesk/ticket/sample-ticket.ts';
import type { Ticket } from '../providers/zendesk/ticket/ticket.ts';
import { findJsonError } from './find-json-error.ts';
import { parseTemplate, renderTemplate } from './liquid.ts';
import { type LiquidError, toLiquidError } from './liquid-error.ts';
import { findPositionInTemplate, lineAndColumn } from './template-positions.ts';
import { findWarnings } from './template-warnings.ts';

/** What stands in the editor before anything is saved. */
export const DEFAULT_TEMPLATE = `{
  "text": "#{{ticket.id}} {{ticket.title}}\\n{{ticket.status}}, from {{ticket.requester.name}}\\n{{ticket.link}}"
}`;

/** The vendor delivers bodies below this many bytes. */
const BODY_MAX = 256 * 1024;
const NESTING_MAX = 50;
/** Placeholders and tags in a template, and characters in one of them. */
const CODE_MAX = 1_000;
const CODE_LENGTH_MAX = 2_000;
const PROBLEMS_MAX = 20;

/** A template as it was read, what it makes of the sample ticket, and what is wrong or odd; with an error it is not usable. */
export interface TemplateCheck {
  source: string;
  /** '' when it cannot be rendered. */
  json: string;
  problems: TemplateProblem[];
}

/** Looks at a template in base64 as it is saved: can the vendor use it, and is it JSON for any ticket? */
export function checkTemplate(message: string): TemplateCheck {
  const { source, refused } = decoded(message);
  if (refused) return { source, json: '', problems: [problem(refused)] };
  try {
    const fault = tooMuch(source);
    if (fault) return unusableTemplate(source, fault);
    const template = parseTemplate(source);
    const { json, problems } = rendered(source, template);
    const found = [...problems, ...(json === '' ? [] : findWarnings(source, template))];
    return { source, json, problems: removeDuplicates(found).slice(0, PROBLEMS_MAX) };
  } catch (thrown) {
    return unusableTemplate(source, toLiquidError(thrown));
  }
}

function unusableTemplate(source: string, { text, at }: LiquidError): TemplateCheck {
  return { source, json: '', problems: [problem(text, at === null ? null : lineAndColumn(source, at))] };
}

/** The first error of a template as one sentence with its place; null for a template that may be saved. */
export function toRefusal(problems: readonly TemplateProblem[]): string | null {
  const error = problems.find(({ severity }) => severity === 'error');
  if (!error) return null;
  return error.line === null ? error.text : `Line ${error.line}, column ${error.column}: ${error.text}`;
}

function decoded(message: string): { source: string; refused?: string } {
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

/** What nobody writes, but somebody may send: reading it would take up the stack, or much time. */
function tooMuch(source: string): LiquidError | null {
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

/** Renders it with every sample. What fails with all fields empty still works every day, so that only warns. */
function rendered(source: string, template: Template[]): { json: string; problems: TemplateProblem[] } {
  const json = renderTemplate(template, SAMPLE_TICKET, SAMPLE_RENDER_CONTEXT);
  if (Buffer.byteLength(json) >= BODY_MAX) {
    return { json: '', problems: [problem('The message becomes larger than Zendesk delivers (256 KB).')] };
  }
  const wrong = shapeProblem({ source, template, ticket: SAMPLE_TICKET, json }, 'This is not JSON');
  if (wrong) return { json: '', problems: [wrong] };
  const hostile = {
    source,
    template,
    ticket: HOSTILE_TICKET,
    json: renderTemplate(template, HOSTILE_TICKET, SAMPLE_RENDER_CONTEXT),
  };
  const harmed = shapeProblem(hostile, 'With quotes and line breaks in a ticket this is not JSON');
  if (harmed) return { json, problems: [harmed] };
  const empty = {
    source,
    template,
    ticket: EMPTY_TICKET,
    json: renderTemplate(template, EMPTY_TICKET, SAMPLE_RENDER_CONTEXT),
  };
  const broken = shapeProblem(empty, 'With empty fields in a ticket this is not JSON');
  const problems: TemplateProblem[] = broken ? [{ ...broken, severity: 'warning' }] : [];
  if (toChatText(json).text === '')
    problems.push({ ...problem('This posts nothing: it has no text.'), severity: 'warning' });
  return { json, problems };
}

interface Rendering {
  source: string;
  template: Template[];
  ticket: Ticket;
  json: string;
}

function shapeProblem({ source, ticket, json }: Rendering, words: string): TemplateProblem | null {
  const fault = findJsonError(json);
  if (!fault) return /^\s*\{/.test(json) ? null : problem('The message must be a JSON object, such as {"text": "…"}.');
  const again = (marked: string) => renderTemplate(parseTemplate(marked), ticket, SAMPLE_RENDER_CONTEXT);
  const at = findPositionInTemplate(source, { rendered: json, at: fault.at }, again);
  return problem(`${words}: ${fault.text}.`, at === null ? null : lineAndColumn(source, at));
}

function problem(text: string, place: { line: number; column: number } | null = null): TemplateProblem {
  return { severity: 'error', text, line: null, column: null, ...place, suggestion: null };
}

/** Where a placeholder without quotes is pointed at already, the broken JSON that it leads to says nothing new. */
function removeDuplicates(problems: readonly TemplateProblem[]): TemplateProblem[] {
  const lines = new Set(problems.filter(({ text }) => text.startsWith('Put quotes')).map(({ line }) => line));
  return problems.filter(({ text, line }) => !(text.startsWith('With empty') && lines.has(line)));
}
