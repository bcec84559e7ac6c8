import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { firstId, newId } from '#platform/database/ids.ts';

/** Service tokens have rights, an end and a source, and an item belongs to the source that sent it. */
export const tokenRights: Migration = {
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await narrowTokens(db);
    await sql.raw(CONSTRAINTS).execute(db);
  },
};

const ID = 'text collate "C"';

/** Changes a table in a transaction of its own, and gives up rather than make others wait for it. */
const briefly = (statement: string) =>
  `do $$ begin perform set_config('lock_timeout', '2s', true); ${statement}; end $$`;

const replaceIndex = (index: string) => [
  `drop index concurrently if exists ${index.split(' ')[0]}`,
  `create unique index concurrently ${index}`,
];

// Each of the statements can be repeated: a run that is killed in the middle leaves a part, or an index that is not valid.
const STATEMENTS = [
  ...['messages', 'files', 'records'].map((table) =>
    briefly(`alter table ${table} add column if not exists source_id ${ID}`),
  ),
  ...[
    'messages_by_source on messages (team_id, source_id, external_id) where source_id is not null',
    'files_by_source on files (team_id, source_id, external_id) where source_id is not null',
    'records_by_source on records (team_id, source_id, kind, external_id) where source_id is not null',
    // Content from before; each item leaves the index when a source repeats it.
    'messages_without_source on messages (team_id, external_id) where external_id is not null and source_id is null',
    'files_without_source on files (team_id, external_id) where external_id is not null and source_id is null',
    'records_without_source on records (team_id, kind, external_id) where external_id is not null and source_id is null',
  ].flatMap(replaceIndex),
  ...['messages', 'files', 'records'].map((table) => `drop index concurrently if exists ${table}_by_external_id`),

  briefly(`alter table service_tokens add column if not exists kinds text[],
    add column if not exists speak_for_users boolean not null default false,
    add column if not exists expires_at timestamptz,
    add column if not exists source_id ${ID},
    add column if not exists stopped_at timestamptz,
    add column if not exists expiry_notified boolean not null default false,
    add column if not exists owners_notified boolean not null default true`),
  'create index if not exists service_tokens_untold on service_tokens (expires_at) where not expiry_notified and stopped_at is null',
  'create index if not exists service_tokens_narrowed on service_tokens (team_id) where not owners_notified',

  briefly('alter table teams add column if not exists admins_may_create_tokens boolean not null default false'),

  // Tells if a rule was saved after an item's date was moved back. Null: before this migration.
  briefly('alter table retention_policies add column if not exists rule_saved_at timestamptz'),
  `create table if not exists backdated_items (
    team_id ${ID} not null,
    item_id ${ID} not null,
    at timestamptz not null default now(),
    primary key (team_id, item_id)
  )`,
  'create index if not exists backdated_items_by_age on backdated_items (at)',
];

const CONSTRAINTS =
  briefly(`alter table service_tokens alter column kinds set not null, alter column expires_at set not null,
    alter column source_id set not null`);

const DAYS = 30;

/**
 * Gives each token the narrowest rights that keep what it did in the last 30 days. Nothing says which token of a team wrote
 * an item, so every token that was used has the kinds that the team's services wrote.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function narrowTokens(db: Kysely<any>): Promise<void> {
  const { rows } = await sql<{ team_id: string; id: string; is_used: boolean }>`select team_id, id,
      coalesce(last_used_at > now() - make_interval(days => ${DAYS}), false) as is_used
    from service_tokens where kinds is null order by team_id, id`.execute(db);
  const since = Date.now() - DAYS * 86_400_000;
  const written = new Map<string, Promise<Written>>();
  for (const { team_id, id, is_used } of rows) {
    const found = written.get(team_id) ?? findWritten(db, team_id, since);
    written.set(team_id, found);
    const { kinds, speaks } = is_used ? await found : NOTHING;
    await sql`update service_tokens set kinds = ${kinds}::text[], speak_for_users = ${speaks},
        expires_at = now() + interval '1 year', source_id = ${newId()}, owners_notified = false
      where team_id = ${team_id} and id = ${id} and kinds is null`.execute(db);
  }
}

interface Written {
  kinds: string[];
  /** True if any of it was written for a user. */
  speaks: boolean;
}

const NOTHING: Written = { kinds: [], speaks: false };

/** The kinds that services wrote in a team since then; all that they ever wrote if there are none, because they may repeat them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function findWritten(db: Kysely<any>, teamId: string, since: number): Promise<Written> {
  const recent = await findKinds(db, teamId, since);
  return recent.kinds.length > 0 ? recent : findKinds(db, teamId, 0);
}

const KINDS = [
  'message',
  'file',
  'note',
  'task',
  'meeting',
  'meeting_recording',
  'call',
  'call_recording',
  'voicemail',
  'communication',
];

// biome-ignore lint/suspicious/noExplicitAny: a migration does not know the tables of a later version
async function findKinds(db: Kysely<any>, teamId: string, since: number): Promise<Written> {
  const written: Written = { kinds: [], speaks: false };
  for (const kind of KINDS) {
    const table = sql.table(kind === 'message' ? 'messages' : kind === 'file' ? 'files' : 'records');
    const isOfKind = kind === 'message' || kind === 'file' ? sql`true` : sql`kind = ${kind}`;
    // Ids begin with the time at which the row was added; the dates of an item are those of the service.
    const isRecent = sql`(id > ${firstId(since)} or (update_at > create_at and update_at > ${since}))`;
    const isWritten = sql`team_id = ${teamId} and ${isOfKind} and external_id is not null and ${isRecent}`;
    const { rows } = await sql<{ found: boolean; speaks: boolean }>`select
      exists (select 1 from ${table} where ${isWritten}) as found,
      exists (select 1 from ${table} where ${isWritten} and user_id <> '') as speaks`.execute(db);
    if (rows[0]?.found) written.kinds.push(kind);
    if (rows[0]?.speaks) written.speaks = true;
  }
  return written;
}
