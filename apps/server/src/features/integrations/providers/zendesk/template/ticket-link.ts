/** Matches URLs of this account's tickets, the only ones in a message that stay links. */
export function getTicketLinkPattern(domain: string): string {
  if (!/^[a-z0-9-]+$/i.test(domain)) return '';
  return `(?<![\\w.+-])https://${domain}\\.zendesk\\.com/agent/tickets/\\d+(?=[),.;:!?]*(?:\\s|$))`;
}
