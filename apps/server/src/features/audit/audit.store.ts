import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { isChannelSeenBy } from '#workspace/channels/channels.store.ts';

export interface AuditSearch {
  teamId: string;
  /** A user, or '' for changes by the system and by services. */
  actor: string | undefined;
  actions: readonly string[] | undefined;
  target: string | undefined;
  /** Inclusive start and exclusive end, in milliseconds. */
  from: number | undefined;
  to: number | undefined;
  /** The end of the previous page: microseconds, as digits, and the id. */
  before: { micros: string; id: string } | undefined;
  limit: number;
}

/** A stored row. Rows are ordered by `micros`: the same time as `at`, in microseconds. */
export interface AuditRow {
  id: string;
  at: number;
  micros: string;
  actor_id: string | null;
  action: string;
  target: string | null;
  details: Record<string, unknown>;
  address: string;
  request_id: string;
}

const columns = sql`id, floor(extract(epoch from at) * 1000)::bigint as at,
  (extract(epoch from at) * 1000000)::bigint::text as micros, actor_id, action, target, details, address, request_id`;

/** Newest first. Every page costs as much as the first one, with any filter. */
export async function listAudit(db: Database, search: AuditSearch): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`select ${columns} from (${getPage(search)}) found
    order by found.at desc, found.id desc`.execute(db);
  return rows;
}

function getPage(search: AuditSearch): RawBuilder<unknown> {
  const newest = sql`order by at desc, id desc limit ${search.limit}`;
  const matches = toCondition(search);
  if (search.actions === undefined) return sql`select * from audit_events where ${matches} ${newest}`;
  // One index range per action, already in order: `action = any(…)` would read and sort all of them.
  return sql`select e.* from unnest(${search.actions}::text[]) wanted (action) cross join lateral (
      select * from audit_events where ${matches} and action = wanted.action ${newest}
    ) e ${newest}`;
}

function toCondition({ teamId, actor, target, from, to, before }: AuditSearch): RawBuilder<unknown> {
  const conditions = [sql`team_id = ${teamId}`];
  if (actor !== undefined) conditions.push(sql`coalesce(actor_id, '') = ${actor}`);
  if (target !== undefined) conditions.push(sql`target = ${target}`);
  if (from !== undefined) conditions.push(sql`at >= ${toTimestamp(from)}`);
  if (to !== undefined) conditions.push(sql`at < ${toTimestamp(to)}`);
  if (before) conditions.push(sql`(at, id) < (${micros(before.micros)}, ${before.id})`);
  return sql.join(conditions, sql` and `);
}

function toTimestamp(milliseconds: number): RawBuilder<unknown> {
  return micros(`${milliseconds}000`);
}

/** Starts from a whole number, because fractional seconds would not convert back to the same instant. */
function micros(digits: string): RawBuilder<unknown> {
  return sql`(timestamptz 'epoch' + ${digits}::bigint * interval '1 microsecond')`;
}

interface NamedUser {
  id: string;
  name: string;
  email: string;
}

/** Members, pending invitees and erased users of the team among these ids. The names of former members are not shown. */
export async function findUsers(db: Database, teamId: string, ids: readonly string[]): Promise<NamedUser[]> {
  const { rows } = await sql<NamedUser>`
    select p.id, coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name, p.email
    from memberships m cross join lateral (
      select id, first_name, last_name, email from people where id = m.person_id and m.email is null
      union all select m.person_id, m.first_name, m.last_name, m.email where m.email is not null
    ) p where m.team_id = ${teamId} and m.person_id = any(${ids})
    union all select e.person_id, 'Deleted user ' || e.code, '' from erasures e
    where e.team_id = ${teamId} and e.person_id = any(${ids})
      and not exists (select 1 from memberships m where m.team_id = e.team_id and m.person_id = e.person_id)`.execute(
    db,
  );
  return rows;
}

export interface AuditReader {
  teamId: string;
  userId: string;
  /** Owners grant compliance access and see the channels of its rows. */
  isOwner: boolean;
}

export async function listHiddenChannels(
  db: Database,
  reader: AuditReader,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select c.id from channels c
    where c.team_id = ${reader.teamId} and c.id = any(${ids}) and not ${isChannelSeenBy(reader.userId)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Owners get the names of all private channels. */
export async function findNames(
  db: Database,
  reader: AuditReader,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  const { teamId, isOwner } = reader;
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from directory_entries where team_id = ${teamId} and id = any(${ids})
    union all select id, name from holds where team_id = ${teamId} and id = any(${ids})
    union all select id, name from service_tokens where team_id = ${teamId} and id = any(${ids})
    union all select id, name from scim_tokens where team_id = ${teamId} and id = any(${ids})
    union all select id, coalesce(nullif(name, ''), 'Invitation link') from invitation_links
      where team_id = ${teamId} and id = any(${ids})
    union all select id, display_name from scim_groups where team_id = ${teamId} and id = any(${ids})
    union all select id, file_name from directory_imports where team_id = ${teamId} and id = any(${ids})
    union all select id, initcap(code) from integrations where team_id = ${teamId} and id = any(${ids})
    union all select id, display_name from teams where id = ${teamId} and id = any(${ids})
    union all select id, display_name from channels c where team_id = ${teamId} and id = any(${ids})
      and (${isChannelSeenBy(reader.userId)} or (${isOwner} and c.type = 'P'))`.execute(db);
  return rows;
}
