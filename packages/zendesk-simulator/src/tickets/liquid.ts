import { parseTemplate, renderTemplate, renderText } from '@steward/liquid/liquid.ts';
import type { Ticket } from '@steward/liquid/zendesk/ticket.ts';
import { type RenderContext, ticketScope } from '@steward/liquid/zendesk/ticket-scope.ts';

/** Renders a template for a ticket. Errors are rendered as text, as Zendesk does. */
export function renderForTicket(
  template: string,
  ticket: Ticket,
  options: { renderContext: RenderContext; escape: boolean },
): string {
  try {
    const parsed = parseTemplate(template, options.escape ? 'json' : 'bare');
    return renderTemplate(parsed, ticketScope(ticket, options.renderContext));
  } catch (error) {
    return `Liquid error: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

/** A title with dynamic content rendered. */
export function renderTitle(title: string, dynamicContent: Record<string, string>): string {
  try {
    return renderText(title, { dc: dynamicContent });
  } catch {
    return title;
  }
}
