import { parseTemplate, renderTemplate } from '@steward/liquid/liquid.ts';
import type { Template } from 'liquidjs';
import { type ChatText, toChatText } from '../../message/chat-text.ts';
import { toLiquidError } from '../../message/liquid-error.ts';
import { lineAndColumn } from '../../message/template-positions.ts';
import { problem } from '../../message/template-problems.ts';
import { decodeTemplate, findTooComplex } from '../../message/template-source.ts';
import type { MessageSettings, TemplateCheck } from '../provider.ts';
import { type Payload, parsePayload, SAMPLE_PAYLOAD } from './payload.ts';

/** The template before anything is saved. */
export const DEFAULT_TEMPLATE = '{{ title }}\n{{ url }}';

/** Checks a template with the last payload received, or with the sample if there is none or it isn't JSON. */
export function checkTemplate(message: string, last?: string): TemplateCheck {
  const { source, refused } = decodeTemplate(message);
  if (refused) return { source, json: '', problems: [problem(refused)] };
  const payload = (last === undefined ? undefined : parsePayload(last)) ?? SAMPLE_PAYLOAD;
  try {
    const fault = findTooComplex(source);
    if (fault) return unusable(source, fault);
    const text = render(parseTemplate(source, 'bare'), payload);
    const json = JSON.stringify(payload, null, 2);
    if (text.trim() !== '') return { source, json, problems: [] };
    const words = 'The message is empty for the payload below, so nothing would be posted.';
    return { source, json, problems: [{ ...problem(words), severity: 'warning' }] };
  } catch (thrown) {
    return unusable(source, toLiquidError(thrown));
  }
}

function unusable(source: string, { text, at }: { text: string; at: number | null }): TemplateCheck {
  return { source, json: '', problems: [problem(text, at === null ? null : lineAndColumn(source, at))] };
}

/** The message for a payload. If the template can't be rendered, the payload is posted with a note in the log. */
export function toMessage({ message }: MessageSettings, body: string | Uint8Array, prefix = ''): ChatText {
  try {
    const text = render(parseTemplate(message, 'bare'), parsePayload(body) ?? {});
    return toChatText(JSON.stringify({ text }), { prefix });
  } catch (thrown) {
    const { text, note } = toChatText(body, { prefix });
    const reason = `The template couldn't be rendered (${toLiquidError(thrown).text}), so the payload was posted.`;
    return { text, note: `${reason} ${note}`.trim() };
  }
}

/** Keys are available by name, and the whole payload as `payload`, for keys that aren't valid Liquid names. */
function render(template: Template[], payload: Payload): string {
  return renderTemplate(template, { ...payload, payload });
}
