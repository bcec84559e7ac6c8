import { type ChatText, toChatText } from '../../../message/chat-text.ts';
import type { MessageSettings } from '../../provider.ts';

/** The message for a body that Zendesk has rendered. Only links to tickets of the account stay links. */
export function toMessage({ domain }: MessageSettings, body: string | Uint8Array, prefix = ''): ChatText {
  return toChatText(body, { links: getTicketLinkPattern(domain), prefix });
}

/** The template before anything is saved. */
export const DEFAULT_TEMPLATE = `{
  "text": "#{{ticket.id}} {{ticket.title}}\\n{{ticket.status}}, from {{ticket.requester.name}}\\n{{ticket.link}}"
}`;

/** Matches URLs of this account's tickets, the only ones in a message that stay links. */
export function getTicketLinkPattern(domain: string): string {
  if (!/^[a-z0-9-]+$/i.test(domain)) return '';
  return `(?<![\\w.+-])https://${domain}\\.zendesk\\.com/agent/tickets/\\d+(?=[),.;:!?]*(?:\\s|$))`;
}
