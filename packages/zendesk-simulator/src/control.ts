import type { Ticket } from '@steward/liquid/zendesk/ticket.ts';
import type { Account, Delivery, Trigger, Webhook } from './model.ts';
import { createTicket, type TicketChange, type TicketOutcome, updateTicket } from './tickets/tickets.ts';
import { deliver, replay } from './webhooks/deliver.ts';
import { resetSecret } from './webhooks/webhooks.ts';
import type { LoggedRequest, World } from './world.ts';

/** One account in the hands of a test or of the console. All lists are as they stand at that moment. */
export interface AccountControl {
  /** Settings, people, tokens, clients, ways to spoil deliveries: may be changed in place. */
  state: Account;
  webhooks(): Webhook[];
  triggers(): Trigger[];
  tickets(): Ticket[];
  deliveries(): Delivery[];
  /** Calls that came for this account. */
  requests(): LoggedRequest[];
  createTicket(change?: TicketChange): TicketOutcome;
  updateTicket(id: number, change: TicketChange): TicketOutcome;
  /** Sends any body to a webhook, signed like all others. */
  send(webhookId: string, payload: string | Buffer): Delivery[];
  /** Sends the recorded request of a delivery once more, exactly as it was. */
  replay(deliveryId: string): Promise<Delivery>;
  resetSecret(webhookId: string): string;
  /** Sends what was held, one after the other. */
  release(order: 'as made' | 'reversed'): Promise<void>;
}

/** The control over one account. */
export function createAccountControl(world: World, account: Account): AccountControl {
  return {
    state: account,
    webhooks: () => account.webhooks,
    triggers: () => account.triggers,
    tickets: () => account.tickets,
    deliveries: () => account.deliveries,
    requests: () => world.requests.filter((request) => request.account === account.subdomain),
    createTicket: (change = {}) => createTicket(world, account, change),
    updateTicket: (id, change) => updateTicket(world, account, { id, change }),
    send: (id, payload) =>
      deliver(world, account, { webhook: getWebhook(account, id), payload: Buffer.from(payload), cause: 'by hand' }),
    async replay(id) {
      const old = account.deliveries.find((each) => each.id === id);
      const delivery = old && (await replay(world, account, old));
      if (!delivery) throw new Error(`Nothing was sent as ${id}.`);
      return delivery;
    },
    resetSecret(id) {
      const webhook = getWebhook(account, id);
      resetSecret(world, webhook);
      return webhook.secret;
    },
    async release(order) {
      const held = account.held.splice(0);
      if (order === 'reversed') held.reverse();
      for (const run of held) await run();
    },
  };
}

function getWebhook({ webhooks }: Account, id: string): Webhook {
  const webhook = webhooks.find((each) => each.id === id);
  if (!webhook) throw new Error(`There is no webhook ${id}.`);
  return webhook;
}
