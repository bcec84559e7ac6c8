import type { StorageSummary } from '@steward/contract/home';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { KIND_OF_CHANNEL, KIND_OF_RECORD } from '#workspace/content/retention/retention-scope.rules.ts';

/** A count of what is stored. What rules have freed changes every night, so it is read at each call. */
export type StoredCounts = Omit<StorageSummary, 'counted_at' | 'freed_this_month'>;

const DAYS_MS = 30 * 86_400_000;
const CHANNELS = 10;

type Found = { kind: string; count: number; bytes: number; added: number; added_bytes: number };

/** Counts items by kind, in one statement each that reads an index with the sizes. */
async function countKinds(db: Database, teamId: string): Promise<Found[]> {
  const since = Date.now() - DAYS_MS;
  const amounts = (date: RawBuilder<unknown>) => sql`count(*)::bigint as count, coalesce(sum(size), 0)::bigint as bytes,
    count(*) filter (where ${date} >= ${since})::bigint as added,
    coalesce(sum(size) filter (where ${date} >= ${since}), 0)::bigint as added_bytes`;
  const { rows } = await sql<Found>`
    select channel_type as kind, ${amounts(sql`create_at`)} from messages where team_id = ${teamId} group by 1
    union all select 'files', ${amounts(sql`create_at`)} from files where team_id = ${teamId} having count(*) > 0
    union all select kind, ${amounts(sql`clock`)} from records where team_id = ${teamId} group by 1`.execute(db);
  return rows;
}

const toKind = (kind: string) =>
  ({ ...KIND_OF_CHANNEL, ...KIND_OF_RECORD, files: 'files' as const })[kind as keyof typeof KIND_OF_CHANNEL];

type Channel = StoredCounts['channels'][number];

/** Messages and files of public channels, the largest first. */
async function listLargest(db: Database, teamId: string): Promise<Channel[]> {
  const { rows } = await sql<Channel>`
    with sized as (
      select channel_id, count(*) as count, sum(size) as bytes from messages
      where team_id = ${teamId} and channel_type = 'O' group by 1
      union all
      select channel_id, count(*), sum(size) from files where team_id = ${teamId} and channel_id <> '' group by 1
    )
    select c.id as channel_id, c.display_name as channel_name, sum(s.count)::bigint as count, sum(s.bytes)::bigint as bytes
    from sized s join channels c on c.team_id = ${teamId} and c.id = s.channel_id and c.type = 'O'
    group by c.id, c.display_name order by bytes desc, c.id limit ${CHANNELS}`.execute(db);
  return rows;
}

async function countPrivate(db: Database, teamId: string) {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select coalesce(sum(count), 0)::bigint as count, coalesce(sum(bytes), 0)::bigint as bytes from (
      select count(*) as count, sum(size) as bytes from messages where team_id = ${teamId} and channel_type <> 'O'
      union all
      select count(*), sum(f.size) from files f join channels c on c.team_id = f.team_id and c.id = f.channel_id
      where f.team_id = ${teamId} and c.type <> 'O'
    ) amounts`.execute(db);
  return rows[0] ?? { count: 0, bytes: 0 };
}

export async function countStorage(db: Database, teamId: string): Promise<StoredCounts> {
  const found = await countKinds(db, teamId);
  const sum = (key: Exclude<keyof Found, 'kind'>) => found.reduce((total, each) => total + each[key], 0);
  return {
    total: { count: sum('count'), bytes: sum('bytes') },
    kinds: found.map(({ kind, count, bytes }) => ({ kind: toKind(kind), count, bytes })),
    added_30_days: { count: sum('added'), bytes: sum('added_bytes') },
    channels: await listLargest(db, teamId),
    private: await countPrivate(db, teamId),
  };
}

/** Since the month began in the team's time zone. */
export async function countFreed(db: Database, teamId: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select coalesce(sum(r.deleted), 0)::bigint as count, coalesce(sum(r.bytes), 0)::bigint as bytes
    from retention_runs r join teams t on t.id = r.team_id
    where r.team_id = ${teamId}
      and r.started_at >= date_trunc('month', now() at time zone t.time_zone) at time zone t.time_zone`.execute(db);
  return rows[0] ?? { count: 0, bytes: 0 };
}
