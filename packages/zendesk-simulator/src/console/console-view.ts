import type { Account, Delivery } from '../model.ts';

/** An account as shown in the console, including secrets, since the console is for developers. */
export function accountView(account: Account) {
  const { subdomain, name, settings, delivery, people, tokens, clients, webhooks, triggers } = account;
  return {
    subdomain,
    name,
    settings,
    delivery,
    people,
    tokens,
    clients,
    webhooks,
    triggers,
    tickets: account.tickets,
    deliveries: account.deliveries.map(deliveryView),
    held: account.held.length,
  };
}

/** A delivery with its last request and response, as text. */
export function deliveryView(delivery: Delivery) {
  const last = delivery.attempts.findLast(({ request }) => request) ?? delivery.attempts.at(-1);
  const { attempts, ...plain } = delivery;
  return {
    ...plain,
    attempts: attempts.map(({ status, status_code, completed_at }) => ({ status, status_code, completed_at })),
    endpoint: last?.request?.endpoint ?? '',
    payload: last?.request?.payload.toString('utf8') ?? '',
    answer: last?.response?.payload ?? '',
  };
}
