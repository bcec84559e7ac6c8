import { DELIVERY_DAYS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { IntegrationKey, IntegrationRow } from '../integrations.store.ts';

export interface NewDelivery {
  id: string;
  invocationId: string;
  headers: Record<string, string>;
  body: string;
  /** The message to post; '' for none. */
  text: string;
  note: string;
  /** A text with an error is posted only if an admin redelivers it; '' posts it. */
  error: string;
}

export interface AddedDelivery {
  state: 'waiting' | 'ignored' | 'failed';
  /** True if the job of an earlier delivery will post this one too. */
  is_expected: boolean;
}

/** A delivery's job counts as under way for this long, and posts later deliveries too. */
const EXPECTED = sql`interval '20 seconds'`;

const REPEAT = "A delivery with the same id was received before, so this one wasn't posted.";

/**
 * Stores a delivery for the channels chosen now. If its invocation is stored already, it is logged as ignored. The caller must
 * hold the lock on the integration: otherwise the job under way might finish without seeing this delivery.
 */
export async function addDelivery(
  trx: Trx,
  { teamId, integrationId }: IntegrationKey,
  { id, invocationId, headers, body, text, note, error }: NewDelivery,
): Promise<AddedDelivery> {
  const state = error === '' ? 'waiting' : 'failed';
  const withoutChannels = text === '' ? note : `${note} No channel was chosen when this was received.`.trim();
  const { rows } = await sql<AddedDelivery>`
    with channels as materialized (
      select channel_id, channel_name from integration_channels
      where team_id = ${teamId} and integration_id = ${integrationId} and ${text !== ''}
    ), added as (
      insert into deliveries (team_id, id, integration_id, invocation_id, headers, body, text, note, state)
      select ${teamId}, ${id}, ${integrationId}, ${invocationId}, ${JSON.stringify(headers)}::jsonb, ${body}, ${text},
        case when exists (select 1 from channels) then ${note} else ${withoutChannels} end,
        case when exists (select 1 from channels) then ${state} else 'ignored' end
      on conflict (team_id, integration_id, invocation_id) where not is_repeat do nothing
      returning state
    ), repeated as (
      insert into deliveries (team_id, id, integration_id, invocation_id, headers, body, text, note, state, is_repeat)
      select ${teamId}, ${id}, ${integrationId}, ${invocationId}, ${JSON.stringify(headers)}::jsonb, ${body}, ${text},
        ${REPEAT}, 'ignored', true
      where not exists (select 1 from added)
      returning state
    ), in_channels as (
      insert into delivery_channels (team_id, delivery_id, channel_id, channel_name, state, error)
      select ${teamId}, ${id}, channel_id, channel_name, ${state}, ${error} from channels, added
    )
    select state, coalesce((select received_at > now() - ${EXPECTED} from deliveries
      where team_id = ${teamId} and integration_id = ${integrationId} and state = 'waiting'
      order by id limit 1), false) as is_expected
    from (select state from added union all select state from repeated) stored`.execute(trx);
  return rows[0] as AddedDelivery;
}

export interface WaitingDelivery {
  id: string;
  channel_ids: string[];
}

/** The oldest waiting delivery: deliveries are posted in the order received. */
export async function findNextDelivery(
  db: Database,
  { teamId, integrationId }: IntegrationKey,
): Promise<WaitingDelivery | undefined> {
  const { rows } = await sql<WaitingDelivery>`
    select d.id, array(select c.channel_id from delivery_channels c
      where c.team_id = d.team_id and c.delivery_id = d.id and c.state = 'waiting' order by c.channel_id) as channel_ids
    from deliveries d where d.team_id = ${teamId} and d.integration_id = ${integrationId} and d.state = 'waiting'
    order by d.id limit 1`.execute(db);
  return rows[0];
}

export interface DeliveryKey {
  teamId: string;
  deliveryId: string;
  channelId: string;
}

const matches = ({ teamId, deliveryId, channelId }: DeliveryKey) =>
  sql`team_id = ${teamId} and delivery_id = ${deliveryId} and channel_id = ${channelId}`;

/**
 * Locks a channel of a delivery until the transaction ends and returns the text to post; undefined if it has been posted
 * already.
 */
export async function lockDeliveryChannel(trx: Trx, key: DeliveryKey): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`select d.text from delivery_channels c
    join deliveries d on d.team_id = c.team_id and d.id = c.delivery_id
    where c.team_id = ${key.teamId} and c.delivery_id = ${key.deliveryId} and c.channel_id = ${key.channelId}
      and c.state = 'waiting' for update of c`.execute(trx);
  return rows[0]?.text;
}

export async function markPosted(trx: Trx, key: DeliveryKey, postId: string): Promise<void> {
  await sql`update delivery_channels set state = 'posted', post_id = ${postId}, attempts = attempts + 1, error = ''
    where ${matches(key)}`.execute(trx);
}

/** Records that a delivery can't be posted in a channel, and why. */
export async function markFailed(trx: Trx, key: DeliveryKey, error: string): Promise<void> {
  await sql`update delivery_channels set state = 'failed', attempts = attempts + 1, error = ${error}
    where ${matches(key)}`.execute(trx);
}

/** Records an interrupted attempt. After `maxAttempts` the post counts as failed, so that it does not block later ones. */
export async function recordInterruptedAttempt(db: Database, key: DeliveryKey, maxAttempts: number): Promise<void> {
  await sql`update delivery_channels set attempts = attempts + 1,
      state = case when attempts + 1 >= ${maxAttempts} then 'failed' else state end,
      error = case when attempts + 1 >= ${maxAttempts}
        then 'A server error prevented posting. Redeliver it.' else error end
    where ${matches(key)} and state = 'waiting'`.execute(db);
}

export interface FinishedDelivery {
  state: 'posted' | 'partly' | 'failed' | 'ignored';
  /** The errors of the channels where it failed; null if it didn't fail. */
  error: string | null;
}

/**
 * Finishes a delivery that no longer waits for any channel; undefined if it still waits, or has finished already. The caller
 * must hold the lock on the integration, as for adding and retrying deliveries.
 */
export async function finishDelivery(
  trx: Trx,
  { teamId, deliveryId, isIgnored }: Omit<DeliveryKey, 'channelId'> & { isIgnored: boolean },
): Promise<FinishedDelivery | undefined> {
  const { rows } = await sql<FinishedDelivery>`
    update deliveries d set state = case
      when not s.some_failed then 'posted' when s.some_posted then 'partly' when ${isIgnored} then 'ignored' else 'failed' end
    from (select count(*) filter (where state = 'waiting') > 0 as some_wait,
        count(*) filter (where state = 'posted') > 0 as some_posted,
        count(*) filter (where state = 'failed') > 0 as some_failed,
        string_agg(channel_name || ': ' || error, ' ' order by channel_id) filter (where state = 'failed') as error
      from delivery_channels where team_id = ${teamId} and delivery_id = ${deliveryId}) s
    where d.team_id = ${teamId} and d.id = ${deliveryId} and d.state = 'waiting' and not s.some_wait
    returning d.state, s.error`.execute(trx);
  return rows[0];
}

/** Queues a delivery's failed posts again: 1, or 0 if none failed; undefined for an unknown delivery. */
export async function retryDelivery(
  trx: Trx,
  { teamId, integrationId }: IntegrationKey,
  deliveryId: string,
): Promise<number | undefined> {
  const delivery = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('team_id', '=', teamId)
    .where('integration_id', '=', integrationId)
    .where('id', '=', deliveryId)
    .executeTakeFirst();
  return delivery && retry(trx, teamId, [delivery.id]);
}

/** Queues all deliveries with failed posts again, the newest `limit`. Returns their number. */
export async function retryFailedDeliveries(
  trx: Trx,
  { teamId, integrationId }: IntegrationKey,
  limit: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('deliveries')
    .select('id')
    .where('team_id', '=', teamId)
    .where('integration_id', '=', integrationId)
    .where('state', 'in', ['failed', 'partly'])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return retry(
    trx,
    teamId,
    rows.map(({ id }) => id),
  );
}

async function retry(trx: Trx, teamId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with again as (
      update delivery_channels set state = 'waiting', error = ''
      where team_id = ${teamId} and delivery_id = any(${ids}) and state = 'failed' returning delivery_id
    ), waiting as (
      update deliveries set state = 'waiting'
      where team_id = ${teamId} and id in (select delivery_id from again) returning 1
    ) select count(*)::int as count from waiting`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Time without progress after which an integration's worker is considered gone. */
const STALLED = sql`interval '3 seconds'`;

export async function listStalledDeliveries(db: Database): Promise<{ team_id: string; integration_id: string }[]> {
  const { rows } = await sql<{ team_id: string; integration_id: string }>`select distinct d.team_id, d.integration_id
    from deliveries d join integrations i on i.team_id = d.team_id and i.id = d.integration_id
    where d.state = 'waiting' and d.received_at < now() - ${STALLED}
      and (i.last_delivery_at is null or i.last_delivery_at < now() - ${STALLED})`.execute(db);
  return rows;
}

/** Removes deliveries past the retention of the log, with their channels. Returns whether there may be more. */
export async function removeOldDeliveries(db: Database, limit: number): Promise<boolean> {
  const days = sql.raw(`interval '${DELIVERY_DAYS} days'`);
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from deliveries where (team_id, id) in (
        select team_id, id from deliveries where received_at < now() - ${days} order by received_at limit ${limit})
      returning 1
    ) select count(*)::int as count from gone`.execute(db);
  return rows[0]?.count === limit;
}

export type PosterIntegration = Pick<IntegrationRow, 'state' | 'code' | 'user_id'>;

const selectPoster = (trx: Trx, { teamId, integrationId }: IntegrationKey) =>
  trx
    .selectFrom('integrations')
    .select(['state', 'code', 'user_id'])
    .where('team_id', '=', teamId)
    .where('id', '=', integrationId);

/** The current state of an integration; undefined if it was never connected. */
export function findPosterIntegration(trx: Trx, place: IntegrationKey): Promise<PosterIntegration | undefined> {
  return selectPoster(trx, place).executeTakeFirst();
}

/**
 * The same, locked until the transaction ends. Storing, finishing and retrying deliveries of one integration run one at a
 * time, so that none is left waiting without a job.
 */
export function lockPoster(trx: Trx, place: IntegrationKey): Promise<PosterIntegration | undefined> {
  return selectPoster(trx, place).forNoKeyUpdate().executeTakeFirst();
}

export function isOpen(state: PosterIntegration['state'] | undefined): boolean {
  return state === 'on' || state === 'connecting';
}
