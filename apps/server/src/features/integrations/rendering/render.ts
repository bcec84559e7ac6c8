import type { ChatText } from '../message/chat-text.ts';
import type { LastRequest, MessageSettings, TemplateCheck } from '../providers/provider.ts';
import { TEMPLATES } from '../providers/template-registry.ts';

export interface CheckTask {
  kind: 'check';
  code: string;
  /** The template in base64. */
  message: string;
  last: LastRequest | undefined;
  /** For the message of the sample. */
  domain: string;
  prefix: string;
}

export interface MessageTask {
  kind: 'message';
  code: string;
  settings: MessageSettings;
  body: string | Uint8Array;
  headers: Record<string, string>;
}

/** A checked template with the message for its sample, escaped; '' if there is none. */
export type CheckedTemplate = TemplateCheck & { text: string };

export function render(task: CheckTask | MessageTask): CheckedTemplate | ChatText {
  const templates = TEMPLATES[task.code];
  if (!templates) throw new Error(`No templates have the code ${task.code}`);
  if (task.kind === 'message') return templates.toMessage(task.settings, task.body, task);
  const { headers = {}, ...checked } = templates.checkTemplate(task.message, task.last);
  const settings = { domain: task.domain, message: checked.source };
  const text =
    checked.json === '' ? '' : templates.toMessage(settings, checked.json, { prefix: task.prefix, headers }).text;
  return { ...checked, text };
}
