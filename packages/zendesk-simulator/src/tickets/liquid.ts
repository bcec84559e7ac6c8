import type { Ticket } from '@steward/server/src/features/integrations/providers/zendesk/ticket/ticket.ts';
import type { RenderContext } from '@steward/server/src/features/integrations/providers/zendesk/ticket/ticket-scope.ts';
import {
  parseTemplate,
  renderTemplate,
  renderText,
} from '@steward/server/src/features/integrations/templates/liquid.ts';

/** Renders a template for a ticket. What is wrong with the template is said in the text, as the vendor's Liquid does. */
export function renderForTicket(
  template: string,
  ticket: Ticket,
  options: { renderContext: RenderContext; escape: boolean },
): string {
  try {
    return renderTemplate(parseTemplate(template, options.escape ? 'json' : 'bare'), ticket, options.renderContext);
  } catch (error) {
    return `Liquid error: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

/** A title as lists show it: dynamic content filled in. */
export function renderTitle(title: string, dynamicContent: Record<string, string>): string {
  try {
    return renderText(title, { dc: dynamicContent });
  } catch {
    return title;
  }
}
