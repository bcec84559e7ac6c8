import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { BackdatedRecord, KindCutoffs, MessageCutoffs } from './expiry.ts';
import type { ItemSource } from './ingest.ts';

const reaches = ({ own, marked }: KindCutoffs) =>
  sql<boolean>`(create_at < ${own} or (delete_at > 0 and delete_at < ${marked}))`;

/**
 * Marks stored messages that a batch is about to move below a cutoff, so that they are kept; `externalIds` are those of
 * its messages that are below. Rows aren't locked: only an item that was below already can be missed.
 */
export async function keepBackdatedMessages(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  { externalIds, cutoffs }: { externalIds: readonly string[]; cutoffs: MessageCutoffs },
): Promise<void> {
  if (externalIds.length === 0) return;
  await sql`insert into backdated_items (team_id, item_id, at)
    select team_id, id, clock_timestamp() from messages
    where team_id = ${teamId} and source_id = ${sourceId} and external_id = any(${externalIds})
      and not case channel_type when 'O' then ${reaches(cutoffs.O)} when 'P' then ${reaches(cutoffs.P)}
        else ${reaches(cutoffs.D)} end
    order by id on conflict (team_id, item_id) do update set at = excluded.at`.execute(trx);
}

/** The same for files. */
export async function keepBackdatedFiles(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  { externalIds, cutoffs }: { externalIds: readonly string[]; cutoffs: KindCutoffs },
): Promise<void> {
  if (externalIds.length === 0) return;
  await sql`insert into backdated_items (team_id, item_id, at)
    select team_id, id, clock_timestamp() from files
    where team_id = ${teamId} and source_id = ${sourceId} and external_id = any(${externalIds}) and not ${reaches(cutoffs)}
    order by id on conflict (team_id, item_id) do update set at = excluded.at`.execute(trx);
}

/** The same for records. One without a date isn't below any cutoff. */
export async function keepBackdatedRecords(
  trx: Trx,
  { teamId, sourceId }: ItemSource,
  records: readonly BackdatedRecord[],
): Promise<void> {
  if (records.length === 0) return;
  const all = <Key extends keyof BackdatedRecord>(key: Key) => records.map((record) => record[key]);
  await sql`insert into backdated_items (team_id, item_id, at)
    select r.team_id, r.id, clock_timestamp()
    from unnest(${all('kind')}::text[], ${all('external_id')}::text[], ${all('cutoff')}::bigint[])
      as s (kind, external_id, cutoff)
      join records r on r.team_id = ${teamId} and r.source_id = ${sourceId} and r.kind = s.kind
        and r.external_id = s.external_id
    where r.clock is null or r.clock >= s.cutoff
    order by r.id on conflict (team_id, item_id) do update set at = excluded.at`.execute(trx);
}

export async function removeOldBackdatedItems(db: Database): Promise<void> {
  await db.deleteFrom('backdated_items').where('at', '<', sql<Date>`now() - interval '24 hours'`).execute();
}
