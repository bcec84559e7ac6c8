import { DELIVERY_DAYS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Place } from '../integrations.store.ts';

/** A delivery as it came in. */
export interface NewDelivery {
  id: string;
  invocationId: string;
  headers: Record<string, string>;
  body: string;
  /** What is to stand in the channels; '' for nothing. */
  text: string;
  note: string;
}

/** What became of a delivery that was stored. */
export interface AddedDelivery {
  state: 'waiting' | 'ignored';
  /** Whether somebody was sent for another delivery a moment ago and will come to this one too. */
  is_expected: boolean;
}

/** For so long after a delivery its job is trusted to be on the way, and posts later ones too. */
const EXPECTED = sql`interval '20 seconds'`;

/**
 * Stores a delivery for all channels that are chosen now; undefined when its invocation is known already. Whoever calls
 * holds the integration: otherwise the job that is trusted to come might have looked around for the last time.
 */
export async function addDelivery(
  trx: Trx,
  { teamId, integrationId }: Place,
  { id, invocationId, headers, body, text, note }: NewDelivery,
): Promise<AddedDelivery | undefined> {
  const withoutChannels = text === '' ? note : `${note} No channel was chosen when this came.`.trim();
  const { rows } = await sql<AddedDelivery>`
    with channels as materialized (
      select channel_id, channel_name from integration_channels
      where team_id = ${teamId} and integration_id = ${integrationId} and ${text !== ''}
    ), added as (
      insert into deliveries (team_id, id, integration_id, invocation_id, headers, body, text, note, state)
      select ${teamId}, ${id}, ${integrationId}, ${invocationId}, ${JSON.stringify(headers)}::jsonb, ${body}, ${text},
        case when exists (select 1 from channels) then ${note} else ${withoutChannels} end,
        case when exists (select 1 from channels) then 'waiting' else 'ignored' end
      on conflict (team_id, integration_id, invocation_id) do nothing
      returning state
    ), in_channels as (
      insert into delivery_channels (team_id, delivery_id, channel_id, channel_name)
      select ${teamId}, ${id}, channel_id, channel_name from channels, added
    )
    select state, coalesce((select received_at > now() - ${EXPECTED} from deliveries
      where team_id = ${teamId} and integration_id = ${integrationId} and state = 'waiting'
      order by id limit 1), false) as is_expected
    from added`.execute(trx);
  return rows[0];
}

/** A delivery that has to be posted in these channels still. */
export interface WaitingDelivery {
  id: string;
  channel_ids: string[];
}

/** The oldest delivery that waits: they are posted in the order in which they came. */
export async function findNextDelivery(
  db: Database,
  { teamId, integrationId }: Place,
): Promise<WaitingDelivery | undefined> {
  const { rows } = await sql<WaitingDelivery>`
    select d.id, array(select c.channel_id from delivery_channels c
      where c.team_id = d.team_id and c.delivery_id = d.id and c.state = 'waiting' order by c.channel_id) as channel_ids
    from deliveries d where d.team_id = ${teamId} and d.integration_id = ${integrationId} and d.state = 'waiting'
    order by d.id limit 1`.execute(db);
  return rows[0];
}

/** A delivery in one of its channels. */
export interface DeliveryKey {
  teamId: string;
  deliveryId: string;
  channelId: string;
}

const one = ({ teamId, deliveryId, channelId }: DeliveryKey) =>
  sql`team_id = ${teamId} and delivery_id = ${deliveryId} and channel_id = ${channelId}`;

/**
 * Takes a channel of a delivery into hand until the transaction ends, and answers what is to be posted; undefined when
 * somebody else has done it meanwhile.
 */
export async function lockDeliveryChannel(trx: Trx, place: DeliveryKey): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`select d.text from delivery_channels c
    join deliveries d on d.team_id = c.team_id and d.id = c.delivery_id
    where c.team_id = ${place.teamId} and c.delivery_id = ${place.deliveryId} and c.channel_id = ${place.channelId}
      and c.state = 'waiting' for update of c`.execute(trx);
  return rows[0]?.text;
}

/** Notes that a delivery stands in a channel, as this post. */
export async function markPosted(trx: Trx, place: DeliveryKey, postId: string): Promise<void> {
  await sql`update delivery_channels set state = 'posted', post_id = ${postId}, attempts = attempts + 1, error = ''
    where ${one(place)}`.execute(trx);
}

/** Notes that a delivery cannot be posted in a channel, and why. */
export async function markFailed(trx: Trx, place: DeliveryKey, error: string): Promise<void> {
  await sql`update delivery_channels set state = 'failed', attempts = attempts + 1, error = ${error}
    where ${one(place)}`.execute(trx);
}

/** Notes a try that broke off; after so many of them it failed, lest nothing behind it is ever posted. */
export async function recordInterruptedAttempt(db: Database, place: DeliveryKey, tries: number): Promise<void> {
  await sql`update delivery_channels set attempts = attempts + 1,
      state = case when attempts + 1 >= ${tries} then 'failed' else state end,
      error = case when attempts + 1 >= ${tries}
        then 'It could not be stored, for a reason on our side. Please deliver it again.' else error end
    where ${one(place)} and state = 'waiting'`.execute(db);
}

/** How a delivery ended. */
export interface FinishedDelivery {
  state: 'posted' | 'partly' | 'failed' | 'ignored';
  /** Reasons of the channels where it failed; null where it did not. */
  error: string | null;
}

/**
 * Ends a delivery that waits for no channel any more; undefined when it does, or has ended already. Whoever calls holds the
 * integration, as does who adds deliveries or lets them wait again.
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

/** Lets failed posts of a delivery wait again: 1, or 0 when it failed nowhere; undefined for an unknown delivery. */
export async function retryDelivery(
  trx: Trx,
  { teamId, integrationId }: Place,
  deliveryId: string,
): Promise<number | undefined> {
  const { rows } = await sql`select 1 from deliveries
    where team_id = ${teamId} and integration_id = ${integrationId} and id = ${deliveryId}`.execute(trx);
  return rows.length === 0 ? undefined : retry(trx, teamId, [deliveryId]);
}

/** The same for all deliveries that failed somewhere, the newest first when there are more than `most`. */
export async function retryFailedDeliveries(trx: Trx, { teamId, integrationId }: Place, most: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from deliveries
    where team_id = ${teamId} and integration_id = ${integrationId} and state in ('failed', 'partly')
    order by id desc limit ${most}`.execute(trx);
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

/** An integration with deliveries that wait has made no progress for so long: its worker is gone, or very slow. */
const STALLED = sql`interval '3 seconds'`;

/** Integrations whose deliveries wait without any progress. */
export async function listStalledDeliveries(db: Database): Promise<Place[]> {
  const { rows } = await sql<Place>`select distinct d.team_id as "teamId", d.integration_id as "integrationId"
    from deliveries d join integrations i on i.team_id = d.team_id and i.id = d.integration_id
    where d.state = 'waiting' and d.received_at < now() - ${STALLED}
      and (i.last_delivery_at is null or i.last_delivery_at < now() - ${STALLED})`.execute(db);
  return rows;
}

/** Removes deliveries that are too old to be shown, with what became of them; answers whether there may be more. */
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
