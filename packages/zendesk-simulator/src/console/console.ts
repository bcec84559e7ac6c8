import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../accounts/faults.ts';
import type { AccountControl } from '../control.ts';
import { type Answer, EMPTY, isRecord, json } from '../responses.ts';
import type { RawCall } from '../routes.ts';
import type { HelpdeskSimulator } from '../simulator.ts';
import type { TicketChange } from '../tickets/tickets.ts';
import type { World } from '../world.ts';
import { accountView, deliveryView } from './console-view.ts';

/** A console request, for one account or for all. */
interface ConsoleCall {
  simulator: HelpdeskSimulator;
  world: World;
  /** The account in the path; throws if it doesn't exist. */
  account: AccountControl;
  /** The other path parameter. */
  id: string;
  sent: Record<string, unknown>;
}

type Run = (call: ConsoleCall) => unknown;

const ACCOUNT = '/console/accounts/([^/]+)';
/** Method, path and handler; the returned value is the JSON response. */
const CALLS: [string, string, Run][] = [
  ['GET', '/console/accounts', ({ world }) => [...world.accounts.values()].map(accountView)],
  [
    'POST',
    '/console/accounts',
    ({ simulator, sent }) => void simulator.addAccount({ subdomain: text(sent, 'subdomain') }),
  ],
  ['GET', ACCOUNT, ({ account }) => accountView(account.state)],
  ['DELETE', ACCOUNT, ({ simulator, account }) => simulator.removeAccount(account.state.subdomain)],
  ['PATCH', `${ACCOUNT}/settings`, ({ account, sent }) => patch(account.state.settings, sent)],
  ['PATCH', `${ACCOUNT}/delivery`, ({ account, sent }) => patch(account.state.delivery, sent)],
  ['PATCH', `${ACCOUNT}/people/([^/]+)`, ({ account, id, sent }) => patch(pick(account.state.people, 'id', id), sent)],
  [
    'PATCH',
    `${ACCOUNT}/tokens/([^/]+)`,
    ({ account, id, sent }) => patch(pick(account.state.tokens, 'token', id), sent),
  ],
  ['PATCH', `${ACCOUNT}/webhooks/([^/]+)`, ({ account, id, sent }) => patch(pick(account.webhooks(), 'id', id), sent)],
  [
    'DELETE',
    `${ACCOUNT}/webhooks/([^/]+)`,
    ({ account, id }) => drop(account.webhooks(), pick(account.webhooks(), 'id', id)),
  ],
  ['POST', `${ACCOUNT}/webhooks/([^/]+)/secret`, ({ account, id }) => ({ secret: account.resetSecret(id) })],
  [
    'POST',
    `${ACCOUNT}/webhooks/([^/]+)/send`,
    ({ account, id, sent }) => account.send(id, text(sent, 'payload')).map(deliveryView),
  ],
  ['PATCH', `${ACCOUNT}/triggers/([^/]+)`, ({ account, id, sent }) => patch(pick(account.triggers(), 'id', id), sent)],
  [
    'DELETE',
    `${ACCOUNT}/triggers/([^/]+)`,
    ({ account, id }) => drop(account.triggers(), pick(account.triggers(), 'id', id)),
  ],
  ['POST', `${ACCOUNT}/tickets`, ({ account, sent }) => outcome(account.createTicket(sent as TicketChange))],
  [
    'PATCH',
    `${ACCOUNT}/tickets/([^/]+)`,
    ({ account, id, sent }) => outcome(account.updateTicket(Number(id), sent as TicketChange)),
  ],
  ['GET', `${ACCOUNT}/deliveries`, ({ account }) => account.deliveries().map(deliveryView)],
  ['POST', `${ACCOUNT}/deliveries/([^/]+)/replay`, async ({ account, id }) => deliveryView(await account.replay(id))],
  [
    'POST',
    `${ACCOUNT}/release`,
    ({ account, sent }) => account.release(sent.order === 'reversed' ? 'reversed' : 'as made'),
  ],
  ['GET', '/console/requests', ({ world }) => world.requests],
  ['GET', '/console/faults', ({ world }) => world.faults],
  ['POST', '/console/faults', ({ simulator, sent }) => simulator.fault(sent as Fault)],
  ['DELETE', '/console/faults', ({ simulator }) => simulator.clearFaults()],
  ['POST', '/console/clock', ({ world, sent }) => world.clock.advance(whole(sent, 'advance_ms'))],
  ['POST', '/console/reset', ({ simulator }) => simulator.reset()],
];

/** Serves the page at `/` and the requests under `/console/`. */
export async function handleConsoleCall(simulator: HelpdeskSimulator, world: World, raw: RawCall): Promise<Answer> {
  // Protects against websites that guess the port, by DNS rebinding or with a plain form.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(raw.headers.host ?? ''))
    return refused(403, 'Use 127.0.0.1 or localhost.');
  if (raw.path === '/') return home();
  const found = CALLS.flatMap(([method, path, run]) => {
    const match = method === raw.method ? new RegExp(`^${path}$`).exec(raw.path) : null;
    return match ? [{ match, run }] : [];
  })[0];
  if (!found) return refused(404, 'Unknown endpoint.');
  if (raw.method !== 'GET' && !/^application\/json\b/.test(raw.headers['content-type'] ?? '')) {
    return refused(415, 'Send application/json.');
  }
  try {
    const sent: unknown = raw.body === '' ? {} : JSON.parse(raw.body);
    if (!isRecord(sent)) return refused(400, 'Send an object.');
    const [, subdomain = '', id = ''] = found.match.map((part) => decodeURIComponent(part ?? ''));
    const call = {
      simulator,
      world,
      id,
      sent,
      get account() {
        return simulator.account(subdomain);
      },
    };
    const result = await found.run(call);
    return result === undefined ? EMPTY : json(200, result);
  } catch (error) {
    return refused(400, error instanceof Error ? error.message : String(error));
  }
}

async function home(): Promise<Answer> {
  const body = await readFile(join(import.meta.dirname, 'console.html'), 'utf8');
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

function outcome({ ticket, deliveries }: ReturnType<AccountControl['createTicket']>) {
  return { ticket, deliveries: deliveries.map(deliveryView) };
}

/** Sets existing fields to values of the same type; refuses anything else. */
function patch(target: object, sent: Record<string, unknown>): void {
  const fields = target as Record<string, unknown>;
  for (const [name, value] of Object.entries(sent)) {
    if (!Object.hasOwn(fields, name)) throw new Error(`${name} is not known here.`);
    if (typeof fields[name] !== typeof value) throw new Error(`${name} must be a ${typeof fields[name]}.`);
  }
  Object.assign(fields, sent);
}

function pick<T extends object>(list: T[], key: keyof T, id: string): T {
  const found = list.find((each) => String(each[key]) === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
}

function drop<T>(list: T[], one: T): void {
  list.splice(list.indexOf(one), 1);
}

function text(sent: Record<string, unknown>, name: string): string {
  const value = sent[name];
  if (typeof value !== 'string') throw new Error(`${name} must be a text.`);
  return value;
}

function whole(sent: Record<string, unknown>, name: string): number {
  const value = sent[name];
  if (typeof value !== 'number' || !(value >= 0)) throw new Error(`${name} must be a number, 0 or more.`);
  return value;
}

function refused(status: number, message: string): Answer {
  return json(status, { message });
}
