import { type ChatText, toChatText } from '../../../message/chat-text.ts';
import type { MessageSettings } from '../../provider.ts';
import { getTicketLinkPattern } from './ticket-link.ts';

/** The message for a body that Zendesk has rendered. Only links to tickets of the account stay links. */
export function toMessage({ domain }: MessageSettings, body: string | Uint8Array, prefix = ''): ChatText {
  return toChatText(body, { links: getTicketLinkPattern(domain), prefix });
}
