import { parseTemplate, renderTemplate } from '@steward/liquid/liquid.ts';
import type { Template } from 'liquidjs';
import { type ChatText, toChatText } from '../../message/chat-text.ts';
import { toLiquidError } from '../../message/liquid-error.ts';
import { lineAndColumn } from '../../message/template-positions.ts';
import { problem } from '../../message/template-problems.ts';
import { decodeTemplate, findTooComplex } from '../../message/template-source.ts';
import type { MessageSettings, TemplateCheck } from '../provider.ts';
import { type Payload, parsePayload, SAMPLE_PAYLOAD } from './payload.ts';

/** What the editor shows before anything is saved. */
export const DEFAULT_TEMPLATE = '{{ title }}\n{{ url }}';

/** Checks a template with the last payload received, or with a sample. A body of the log that is not JSON is passed over. */
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
    const words = 'This posts nothing for the payload below: the message is empty.';
    return { source, json, problems: [{ ...problem(words), severity: 'warning' }] };
  } catch (thrown) {
    return unusable(source, toLiquidError(thrown));
  }
}

function unusable(source: string, { text, at }: { text: string; at: number | null }): TemplateCheck {
  return { source, json: '', problems: [problem(text, at === null ? null : lineAndColumn(source, at))] };
}

/** The message of a payload. What the template cannot render is posted as it came, with a note in the log. */
export function toMessage({ message }: MessageSettings, body: string | Uint8Array, prefix = ''): ChatText {
  try {
    const text = render(parseTemplate(message, 'bare'), parsePayload(body) ?? {});
    return toChatText(JSON.stringify({ text }), { prefix });
  } catch (thrown) {
    const { text, note } = toChatText(body, { prefix });
    const reason = `The template could not be rendered (${toLiquidError(thrown).text}), so the payload was posted.`;
    return { text, note: `${reason} ${note}`.trim() };
  }
}

/** Keys of the payload by their names, and all of it as `payload`, for keys that Liquid cannot name. */
function render(template: Template[], payload: Payload): string {
  return renderTemplate(template, { ...payload, payload });
}
