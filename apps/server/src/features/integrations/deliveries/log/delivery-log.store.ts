import type { Delivery, DeliveryState } from '@steward/contract/integrations/deliveries';
import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import type { IntegrationKey } from '../../integrations.store.ts';

const channels = sql`coalesce((select json_agg(json_build_object('channel_id', c.channel_id, 'channel_name', c.channel_name,
    'state', c.state, 'post_id', c.post_id, 'attempts', c.attempts, 'error', c.error)
    order by lower(c.channel_name), c.channel_id)
  from delivery_channels c where c.team_id = d.team_id and c.delivery_id = d.id), '[]')`;
const columns = sql`d.id, ${millisecondsIn('d.received_at')} as received_at, d.invocation_id, d.state, d.text, d.note,
  ${channels} as channels`;
const matches = ({ teamId, integrationId }: IntegrationKey) =>
  sql`d.team_id = ${teamId} and d.integration_id = ${integrationId}`;

interface LogPage {
  state: DeliveryState | undefined;
  /** Deliveries older than this id; the newest when absent. */
  before: string | undefined;
  limit: number;
}

/** Deliveries with their outcome in each channel, newest first. */
export async function listLog(
  db: Database,
  place: IntegrationKey,
  { state, before, limit }: LogPage,
): Promise<Delivery[]> {
  const inState = state === undefined ? sql`` : sql`and d.state = ${state}`;
  const after = before === undefined ? sql`` : sql`and d.id < ${before}`;
  const { rows } = await sql<Delivery>`select ${columns} from deliveries d
    where ${matches(place)} ${inState} ${after} order by d.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findLoggedDelivery(
  db: Database,
  place: IntegrationKey,
  deliveryId: string,
): Promise<(Delivery & { body: string; headers: Record<string, string> }) | undefined> {
  const { rows } = await sql<Delivery & { body: string; headers: Record<string, string> }>`
    select ${columns}, d.body, d.headers from deliveries d where ${matches(place)} and d.id = ${deliveryId}`.execute(
    db,
  );
  return rows[0];
}

export function findLastRequest(
  db: Database,
  { teamId, integrationId }: IntegrationKey,
): Promise<{ body: string; headers: Record<string, string> } | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['body', 'headers'])
    .where('team_id', '=', teamId)
    .where('integration_id', '=', integrationId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
