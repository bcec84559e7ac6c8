import type { TemplateProblem } from '@steward/contract/integrations';
import { parseTemplate } from '@steward/liquid/liquid.ts';
import {
  EMPTY_TICKET,
  HOSTILE_TICKET,
  SAMPLE_RENDER_CONTEXT,
  SAMPLE_TICKET,
} from '@steward/liquid/zendesk/sample-ticket.ts';
import type { Ticket } from '@steward/liquid/zendesk/ticket.ts';
import { renderForTicket } from '@steward/liquid/zendesk/ticket-scope.ts';
import { type Template, Tokenizer, TokenKind } from 'liquidjs';
import { toChatText } from '../../../message/chat-text.ts';
import { findJsonError } from '../../../message/find-json-error.ts';
import { type LiquidError, toLiquidError } from '../../../message/liquid-error.ts';
import { lineAndColumn, problem } from '../../../message/template-problems.ts';
import { decodeTemplate, findTooComplex } from '../../../message/template-source.ts';
import type { TemplateCheck, Templates } from '../../provider.ts';
import { toMessage } from './message.ts';
import { type Finding, findSuggestion, findWarnings } from './template-warnings.ts';

/** Zendesk only delivers bodies smaller than this, in bytes. */
const BODY_MAX = 256 * 1024;
const PROBLEMS_MAX = 20;
const EMPTY_FIELDS = 'Not valid JSON when fields are empty';

export const ZENDESK_TEMPLATES: Templates = { checkTemplate: (message) => checkTemplate(message), toMessage };

/** Checks a base64 template: whether Zendesk can render it, and whether it renders to JSON for any ticket. */
export function checkTemplate(message: string): TemplateCheck {
  const { source, refused } = decodeTemplate(message);
  if (refused) return { source, json: '', problems: [problem(refused)] };
  try {
    const fault = findTooComplex(source);
    if (fault) return unusableTemplate(source, fault);
    const template = parseTemplate(source);
    const { json, problems } = rendered(source, template);
    const found: Finding[] = [...problems, ...(json === '' ? [] : findWarnings(source, template))];
    return { source, json, problems: removeDuplicates(found).slice(0, PROBLEMS_MAX).map(findSuggestion) };
  } catch (thrown) {
    return unusableTemplate(source, toLiquidError(thrown));
  }
}

function unusableTemplate(source: string, { text, at }: LiquidError): TemplateCheck {
  return { source, json: '', problems: [problem(text, at === null ? null : lineAndColumn(source, at))] };
}

/** Renders it with every sample. Failing with all fields empty is only a warning, since ordinary tickets still work. */
function rendered(source: string, template: Template[]): { json: string; problems: TemplateProblem[] } {
  const json = renderForTicket(template, SAMPLE_TICKET, SAMPLE_RENDER_CONTEXT);
  if (Buffer.byteLength(json) >= BODY_MAX) {
    return { json: '', problems: [problem("The message is larger than Zendesk's limit of 256 KB.")] };
  }
  const wrong = shapeProblem({ source, template, ticket: SAMPLE_TICKET, json }, 'Not valid JSON');
  if (wrong) return { json: '', problems: [wrong] };
  const hostile = {
    source,
    template,
    ticket: HOSTILE_TICKET,
    json: renderForTicket(template, HOSTILE_TICKET, SAMPLE_RENDER_CONTEXT),
  };
  const unsafe = shapeProblem(hostile, 'Not valid JSON for a ticket with quotes and line breaks');
  if (unsafe) return { json, problems: [unsafe] };
  const empty = {
    source,
    template,
    ticket: EMPTY_TICKET,
    json: renderForTicket(template, EMPTY_TICKET, SAMPLE_RENDER_CONTEXT),
  };
  const broken = shapeProblem(empty, EMPTY_FIELDS);
  const problems: TemplateProblem[] = broken ? [{ ...broken, severity: 'warning' }] : [];
  if (toChatText(json).text === '')
    problems.push({ ...problem('The message has no text, so nothing would be posted.'), severity: 'warning' });
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
  const again = (marked: string) => renderForTicket(parseTemplate(marked), ticket, SAMPLE_RENDER_CONTEXT);
  const at = findPositionInTemplate(source, { rendered: json, at: fault.at }, again);
  return problem(`${words}: ${fault.text}.`, at === null ? null : lineAndColumn(source, at));
}

/** An unquoted placeholder that is reported already makes the resulting JSON error redundant. */
function removeDuplicates(problems: readonly Finding[]): Finding[] {
  const lines = new Set(problems.filter(({ text }) => text.startsWith('Put quotes')).map(({ line }) => line));
  return problems.filter(({ text, line }) => !(text.startsWith(EMPTY_FIELDS) && lines.has(line)));
}

/** Delimiters of a mark's number: private-use characters, so that no ticket contains them. */
const [LEFT, RIGHT] = ['\ue000', '\ue001'];
const MARK = /\ue000(\d+)\ue001/g;

/** A mark in the template: the offset and length of the text that follows it. */
interface Mark {
  begin: number;
  length: number;
}

/**
 * The offset in a template that produced the character `at` of its output. The template is rendered again with a mark before
 * each piece of text; null if that changes the output, for example because a filter counts characters.
 */
function findPositionInTemplate(
  source: string,
  { rendered, at }: { rendered: string; at: number },
  render: (source: string) => string,
): number | null {
  if (source.includes(LEFT) || rendered.includes(LEFT)) return null;
  const { marked, marks } = mark(source);
  const output = renderOrUndefined(() => render(marked));
  if (output?.replaceAll(MARK, '') !== rendered) return null;
  let place = 0;
  let marksBefore = 0;
  for (const { 0: match, 1: number, index } of output.matchAll(MARK)) {
    const begin = index - marksBefore;
    if (begin > at) break;
    marksBefore += match.length;
    const { begin: inSource, length } = marks[Number(number)] ?? { begin: 0, length: 0 };
    place = inSource + Math.min(at - begin, length);
  }
  return place;
}

function mark(source: string): { marked: string; marks: Mark[] } {
  const marks: Mark[] = [];
  let marked = '';
  let wasCode = false;
  for (const { kind, begin, end } of new Tokenizer(source).readTopLevelTokens()) {
    const isText = kind === TokenKind.HTML;
    const text = source.slice(begin, end);
    // Whitespace control (`{{-`) trims spaces at the edges; a mark before them would prevent that.
    const spaces = isText ? text.length - text.trimStart().length : 0;
    const isMarked = isText ? spaces < text.length : wasCode;
    if (isMarked) marks.push({ begin: begin + spaces, length: isText ? text.length - spaces : 0 });
    marked += text.slice(0, spaces) + (isMarked ? `${LEFT}${marks.length - 1}${RIGHT}` : '') + text.slice(spaces);
    wasCode = !isText;
  }
  return { marked, marks };
}

function renderOrUndefined(render: () => string): string | undefined {
  try {
    return render();
  } catch {
    return undefined;
  }
}
