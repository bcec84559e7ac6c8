import type { Account, Action, Delivery } from '../model.ts';
import { deliver } from '../webhooks/deliver.ts';
import type { World } from '../world.ts';
import { type Change, conditionsHold } from './conditions.ts';
import { renderForTicket } from './liquid.ts';
import { inOrder } from './triggers.ts';

/** Runs the active triggers on a change, in order. Only actions that notify a webhook have an effect. */
export function runTriggers(world: World, account: Account, change: Change): Delivery[] {
  // Changes to a closed ticket fire nothing; closing it does.
  if (change.before?.status === 'closed') return [];
  const deliveries: Delivery[] = [];
  for (const trigger of inOrder(account)) {
    if (!trigger.active || !conditionsHold(trigger.conditions, change)) continue;
    for (const action of trigger.actions) {
      const order = orderFor(account, action, change);
      if (order) deliveries.push(deliver(world, account, { ...order, trigger_id: trigger.id }));
    }
  }
  return deliveries;
}

/** Runs an action. Deleted and inactive webhooks are silently skipped. */
function orderFor(account: Account, { field, value }: Action, { ticket, actor }: Change) {
  if (field !== 'notification_webhook' || !Array.isArray(value)) return undefined;
  const [id, template] = value as [string, string];
  const webhook = account.webhooks.find((each) => each.id === id);
  if (webhook?.status !== 'active') return undefined;
  const text = renderForTicket(template, ticket, {
    escape: account.settings.escape && webhook.request_format === 'json',
    renderContext: {
      subdomain: account.subdomain,
      account: account.name,
      dynamicContent: account.dynamicContent,
      ...(actor && { currentUser: actor }),
    },
  });
  return { webhook, payload: Buffer.from(text), cause: 'trigger' as const, ticket_id: ticket.id };
}
