import { type ChatText, toChatText } from '../../../message/chat-text.ts';
import type { MessageOptions, MessageSettings } from '../../provider.ts';

/** The message for a body that Zendesk has rendered: which parts are values isn't known, so all of it is escaped. */
export function toMessage(
  _settings: MessageSettings,
  body: string | Uint8Array,
  { prefix }: MessageOptions = {},
): ChatText {
  return toChatText(body, prefix);
}

/** The template before anything is saved. */
export const DEFAULT_TEMPLATE = `{
  "text": "#{{ticket.id}} {{ticket.title}}\\n{{ticket.status}}, from {{ticket.requester.name}}\\n{{ticket.link}}"
}`;
