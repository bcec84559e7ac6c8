import { createParser, renderTemplate } from '@steward/liquid/liquid.ts';
import type { Template } from 'liquidjs';
import { type ChatText, toChatText, toMessageText } from '../../message/chat-text.ts';
import { escapeMarkup, toPlainText } from '../../message/escape-markup.ts';
import { toLiquidError } from '../../message/liquid-error.ts';
import { lineAndColumn, problem } from '../../message/template-problems.ts';
import { decodeTemplate, findTooComplex } from '../../message/template-source.ts';
import type { LastRequest, MessageOptions, MessageSettings, TemplateCheck, Templates } from '../provider.ts';
import { type Payload, parsePayload } from './payload.ts';
import type { Sample } from './senders/sender.ts';

/** Characters. A thread that makes a text of many megabytes could take more memory than it may, and the server with it. */
const INDENTED_MAX = 4_000_000;

/** The Markdown that an admin writes has its effect; each value is escaped. */
const parse = createParser({ escape: escapeMarkup, unescape: toPlainText });

export function createWebhookTemplates(sample: Sample): Templates {
  return { checkTemplate: (message, last) => checkTemplate(message, toSample(last) ?? sample), toMessage };
}

/** The last request, if its body can be used. */
function toSample(last: LastRequest | undefined): Sample | undefined {
  const payload = last && parsePayload(last.body);
  return payload && { headers: last.headers, payload };
}

function checkTemplate(message: string, { headers, payload }: Sample): TemplateCheck {
  const { source, refused } = decodeTemplate(message);
  if (refused) return { source, json: '', problems: [problem(refused)] };
  try {
    const fault = findTooComplex(source);
    if (fault) return unusable(source, fault);
    const text = render(parse(source), { headers, payload });
    const json = toShownJson(payload);
    if (text.trim() !== '') return { source, json, headers, problems: [] };
    const words = 'The message is empty for the payload below, so nothing would be posted.';
    return { source, json, headers, problems: [{ ...problem(words), severity: 'warning' }] };
  } catch (thrown) {
    return unusable(source, toLiquidError(thrown));
  }
}

/** Indented JSON of a payload; without indentation if that would be too long, as for long lists that are deeply nested. */
function toShownJson(payload: Payload): string {
  const json = JSON.stringify(payload);
  return countIndented(json) > INDENTED_MAX ? json : JSON.stringify(payload, null, 2);
}

/** Length of a JSON text once it is indented, or more than that. */
function countIndented(json: string): number {
  let length = json.length;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (!token.startsWith('"')) length += 2 * depth + 2;
  }
  return length;
}

function unusable(source: string, { text, at }: { text: string; at: number | null }): TemplateCheck {
  return { source, json: '', problems: [problem(text, at === null ? null : lineAndColumn(source, at))] };
}

/** The message for a payload. If the template can't be rendered, the payload is posted with a note in the log. */
function toMessage(
  { message }: MessageSettings,
  body: string | Uint8Array,
  { prefix = '', headers = {} }: MessageOptions = {},
): ChatText {
  try {
    const text = render(parse(message), { headers, payload: parsePayload(body) ?? {} });
    return toMessageText(text, prefix);
  } catch (thrown) {
    const { text, note } = toChatText(body, prefix);
    const reason = `The template couldn't be rendered (${toLiquidError(thrown).text}), so the payload was posted.`;
    return { text, note: `${reason} ${note}`.trim() };
  }
}

/** Keys are available by name, and the whole payload as `payload`, for keys that aren't valid Liquid names. */
function render(template: Template[], { headers, payload }: Sample): string {
  return renderTemplate(template, { headers, ...payload, payload });
}
