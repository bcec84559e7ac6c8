import type { Ticket } from '@steward/liquid/zendesk/ticket.ts';
import type { Account, Delivery, Trigger, Webhook } from './model.ts';
import { createTicket, type TicketChange, type TicketOutcome, updateTicket } from './tickets/tickets.ts';
import { deliver, replay } from './webhooks/deliver.ts';
import { resetSecret } from './webhooks/webhooks.ts';
import type { LoggedRequest, World } from './world.ts';

/** Controls one account, for tests. All lists are current snapshots. */
export interface AccountControl {
  /** Settings, users, tokens, clients and delivery deviations; tests may change these objects. */
  state: Account;
  webhooks(): Webhook[];
  triggers(): Trigger[];
  tickets(): Ticket[];
  deliveries(): Delivery[];
  requests(): LoggedRequest[];
  createTicket(change?: TicketChange): TicketOutcome;
  updateTicket(id: number, change: TicketChange): TicketOutcome;
  /** Sends any body to a webhook, signed like any other delivery. */
  send(webhookId: string, payload: string | Buffer): Delivery;
  /** Replays the recorded request of a delivery unchanged. */
  replay(deliveryId: string): Promise<Delivery>;
  resetSecret(webhookId: string): string;
}

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
  };
}

function getWebhook({ webhooks }: Account, id: string): Webhook {
  const webhook = webhooks.find((each) => each.id === id);
  if (!webhook) throw new Error(`There is no webhook ${id}.`);
  return webhook;
}
