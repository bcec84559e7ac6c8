import { type HelpdeskSimulator, type SimulatorOptions, startHelpdeskSimulator } from './simulator.ts';
import { type Receiver, type Reply, startReceiver } from './webhooks/receiver.ts';

/** The response to a call. JSON bodies are parsed; undefined if there is no body. */
export interface ApiReply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
}

export interface Rig extends AsyncDisposable {
  simulator: HelpdeskSimulator;
  receiver: Receiver;
  /** Calls `METHOD path` under `/acme/api/v2/` as its admin, or with other headers or another account. */
  api(call: string, body?: unknown, options?: { auth?: string | null; account?: string }): Promise<ApiReply>;
  /** Creates an active webhook to the receiver, and a trigger that sends it a template. Returns both ids. */
  wired(template?: string, conditions?: object): Promise<{ webhook: string; trigger: number }>;
}

/** Waits for a condition that has no event. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 8_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error('the condition was not met in time');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export function token(email: string, value = 'acme-token'): string {
  return basic(`${email}/token`, value);
}

export function basic(login: string, secret: string): string {
  return `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`;
}

/** A trigger that sends a template at every change. */
export function triggerBody(webhook: string, more: object = {}) {
  return {
    title: 'Tell the team',
    conditions: {
      all: [],
      any: ['Create', 'Change'].map((value) => ({ field: 'update_type', operator: 'is', value })),
    },
    actions: [{ field: 'notification_webhook', value: [webhook, '{"text":"{{ticket.title}}"}'] }],
    ...more,
  };
}

/** A webhook body with every required field. */
export function webhookBody(more: object = {}) {
  return {
    name: 'Team',
    endpoint: 'https://receiver.example/hook',
    http_method: 'POST',
    request_format: 'json',
    status: 'active',
    subscriptions: ['conditional_ticket_events'],
    ...more,
  };
}

/** A simulator with a stopped clock, and a receiver. */
export async function rig(reply?: (before: number) => Reply, options: SimulatorOptions = {}): Promise<Rig> {
  const receiver = await startReceiver(reply);
  const simulator = await startHelpdeskSimulator({ speed: 0, seed: 'test', start: Date.UTC(2026, 0, 2), ...options });
  const api: Rig['api'] = async (call, body, { auth = token('ada@acme.example'), account = 'acme' } = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const response = await fetch(
      `${simulator.url}/${account}/${path.startsWith('/') ? path.slice(1) : `api/v2/${path}`}`,
      {
        method,
        headers: { ...(auth !== null && { authorization: auth }), 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      },
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text || undefined };
  };
  return {
    simulator,
    receiver,
    api,
    async wired(template = '{"text":"{{ticket.title}}"}', conditions) {
      const { body } = await api('POST webhooks', { webhook: webhookBody({ endpoint: receiver.url }) });
      const webhook: string = body.webhook.id;
      const actions = [{ field: 'notification_webhook', value: [webhook, template] }];
      const made = await api('POST triggers', {
        trigger: triggerBody(webhook, { actions, ...(conditions && { conditions }) }),
      });
      return { webhook, trigger: made.body.trigger.id };
    },
    async [Symbol.asyncDispose]() {
      await simulator[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
