import { randomBytes } from 'node:crypto';
import { token } from '@steward/zendesk-simulator/rig.ts';
import type { HelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { sign } from '@steward/zendesk-simulator/webhooks/signature.ts';
import { sql } from 'kysely';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { ZENDESK } from '#features/integrations/providers/zendesk/zendesk.ts';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { type Reply, send } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { ensureIntegrationUser } from '#workspace/users/add-members.actions.ts';

export type TestHelpdesk = Awaited<ReturnType<typeof helpdesk>>;

/** An app or a benchmark. */
interface Place {
  db: TestApp['db'];
  deps: Pick<TestApp['deps'], 'secrets'>;
}

interface HelpdeskOptions {
  channels?: readonly { id: string; name: string }[];
  secret?: string;
  state?: 'on' | 'connecting' | 'off';
  domain?: string;
}

/** Connects a help desk in the database only, without calling Zendesk. */
export async function helpdesk(node: Place, teamId: string, options: HelpdeskOptions = {}) {
  const { channels = [], secret = randomBytes(32).toString('base64'), state = 'on', domain = 'acme' } = options;
  const id = toIntegrationId(teamId, 'zendesk');
  const pathKey = newToken();
  const seal = (text: string) => node.deps.secrets.seal('integration', text);
  const userId = await inTransaction(node.db, (trx) => ensureIntegrationUser(trx, teamId, ZENDESK));
  const row = {
    team_id: teamId,
    id,
    code: 'zendesk',
    state,
    domain,
    username: `ada@${domain}.example`,
    path_hash: hashToken(pathKey),
    path_key: seal(pathKey),
    webhook_id: 'w',
    signing_secret: seal(secret),
    ticket_created: true,
    ticket_updated: false,
    message: '{"text":"{{ticket.title}}"}',
    user_id: userId,
    authentication: 2,
    credentials: seal(JSON.stringify({ secret: { token: `${domain}-token` }, leftovers: [] })),
  } as const;
  await node.db.insertInto('integrations').values(row).execute();
  for (const { id: channel_id, name: channel_name } of channels) {
    const chosen = { team_id: teamId, integration_id: id, channel_id, channel_name };
    await node.db.insertInto('integration_channels').values(chosen).execute();
  }
  const path = `/api/v4/hooks/zendesk/${pathKey}`;
  return { teamId, id, pathKey, secret, userId, path, params: { teamId, integrationId: id } };
}

export async function recreateHelpdesk(node: Place, teamId: string): Promise<TestHelpdesk> {
  for (const table of ['deliveries', 'integration_channels', 'integrations'])
    await sql`delete from ${sql.table(table)} where team_id = ${teamId}`.execute(node.db);
  return helpdesk(node, teamId);
}

interface SentDelivery {
  body?: string | Buffer;
  invocationId?: string;
  secret?: string | Buffer;
  timestamp?: string;
  /** Added to Zendesk's headers, or replacing them; undefined removes one. */
  headers?: Record<string, string | undefined>;
  pathKey?: string;
}

/** A time in Zendesk's format, `ms` milliseconds from now. */
export function formatInstant(ms = 0): string {
  return new Date(Date.now() + ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function delivery(desk: Pick<TestHelpdesk, 'secret'>, sent: SentDelivery = {}) {
  const body = Buffer.from(sent.body ?? '{"text":"Good morning"}');
  const timestamp = sent.timestamp ?? formatInstant();
  const headers: Record<string, string | undefined> = {
    'x-zendesk-account-id': '10000001',
    'x-zendesk-webhook-id': 'w',
    'x-zendesk-webhook-invocation-id': sent.invocationId ?? newId(),
    'x-zendesk-webhook-signature': sign(sent.secret ?? desk.secret, timestamp, body),
    'x-zendesk-webhook-signature-timestamp': timestamp,
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Zendesk Webhook',
    ...sent.headers,
  };
  const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { headers: Object.fromEntries(given), body };
}

export function deliverTo(node: TestApp, desk: TestHelpdesk, sent: SentDelivery = {}): Promise<Reply> {
  const { headers, body } = delivery(desk, sent);
  const url = sent.pathKey === undefined ? desk.path : `/api/v4/hooks/zendesk/${sent.pathKey}`;
  return send(node, { method: 'POST', url, headers, body });
}

interface ConnectOptions {
  url: string;
  channels: readonly { id: string; name: string }[];
  events?: readonly ('Create' | 'Change')[];
}

/** Connects a team to the simulator's account, with a webhook to the server and triggers for the given events. */
export async function connectSimulatedHelpdesk(
  node: TestApp,
  simulator: HelpdeskSimulator,
  teamId: string,
  { url, channels, events = ['Create'] }: ConnectOptions,
) {
  const api = async (path: string, body: unknown) => {
    const headers = { authorization: token('ada@acme.example'), 'content-type': 'application/json' };
    const response = await fetch(`${simulator.url}/acme/api/v2/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const desk = await helpdesk(node, teamId, { channels });
  const fixed = { name: 'Team', http_method: 'POST', request_format: 'json', status: 'active' };
  const subscriptions = ['conditional_ticket_events'];
  const { webhook } = (await api('webhooks', {
    webhook: { ...fixed, endpoint: `${url}${desk.path}`, subscriptions },
  })) as { webhook: { id: string } };
  for (const event of events)
    await api('triggers', {
      trigger: {
        title: `Ticket ${event}`,
        conditions: { all: [{ field: 'update_type', operator: 'is', value: event }], any: [] },
        actions: [{ field: 'notification_webhook', value: [webhook.id, '{"text":"{{ticket.title}}"}'] }],
      },
    });
  const account = simulator.account('acme');
  const secret = account.webhooks().find(({ id }) => id === webhook.id)?.secret ?? '';
  await sql`update integrations set webhook_id = ${webhook.id}, signing_secret = ${node.deps.secrets.seal('integration', secret)}
    where team_id = ${teamId}`.execute(node.db);
  return { ...desk, secret, account, webhookId: webhook.id };
}

export async function listChannelTexts(node: TestApp, channel: { id: string }): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from messages where channel_id = ${channel.id}
    order by create_at, id`.execute(node.db);
  return rows.map(({ text }) => text);
}

export type Held = Awaited<ReturnType<typeof hold>>;

/** Runs `work` in a transaction that stays open until it is released or the test ends, and is then rolled back. */
export async function hold(node: Pick<TestApp, 'db'>, work: (trx: Trx) => Promise<unknown>) {
  const trx = await node.db.startTransaction().execute();
  let ended: Promise<void> | undefined;
  const release = () => {
    ended ??= trx.rollback().execute();
    return ended;
  };
  try {
    // A busy machine may keep it open for long.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    await work(trx);
  } catch (error) {
    await release();
    throw error;
  }
  return { release, [Symbol.asyncDispose]: release };
}

/** Stores a delivery that failed in this channel, connecting the team's help desk if needed. Returns its id. */
export async function failedDelivery(
  node: TestApp,
  teamId: string,
  channel: { id: string; name: string },
): Promise<string> {
  const integrationId = toIntegrationId(teamId, 'zendesk');
  const on = await sql`update integrations set state = 'on' where team_id = ${teamId}`.execute(node.db);
  if (on.numAffectedRows === 0n) await helpdesk(node, teamId);
  const id = newId();
  const content = { body: '{"text":"Good morning"}', text: 'Good morning', headers: '{}', state: 'failed' } as const;
  const delivery = { team_id: teamId, id, integration_id: integrationId, invocation_id: id, ...content };
  await node.db.insertInto('deliveries').values(delivery).execute();
  const where = { team_id: teamId, delivery_id: id, channel_id: channel.id, channel_name: channel.name };
  const outcome = { state: 'failed', post_id: '', attempts: 1, error: 'This channel is archived.' } as const;
  const attempt = { ...where, ...outcome };
  await node.db.insertInto('delivery_channels').values(attempt).execute();
  return id;
}
