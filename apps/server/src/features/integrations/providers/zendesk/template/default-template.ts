/** The template before anything is saved. */
export const DEFAULT_TEMPLATE = `{
  "text": "#{{ticket.id}} {{ticket.title}}\\n{{ticket.status}}, from {{ticket.requester.name}}\\n{{ticket.link}}"
}`;
