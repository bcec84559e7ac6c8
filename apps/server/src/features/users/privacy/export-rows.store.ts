import { RECORD_KINDS, type RecordKind } from '@steward/contract/content';
import { PROFILE_FIELDS } from '@steward/contract/users';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import type { SessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import { forProfile } from '#workspace/users/members.store.ts';

export interface ExportScope {
  userId: string;
  email: string;
  teamIds: readonly string[];
  /** The user's own export contains the data of the account, but no network addresses of others. */
  isOwn: boolean;
  limits: SessionLimits;
}

type Row = Record<string, unknown>;

/** A part of an export is read in pages, so that memory doesn't grow with it. */
export interface Dataset {
  name: string;
  columns: readonly string[];
  read(db: Database, scope: ExportScope): AsyncIterable<readonly Row[]>;
}

/** Rows that one statement looks at: an author's rows have no index, so a team's content is walked by its key. */
const PAGE = 2_000;

/** For a part that fits in memory. */
function inOneQuery(select: (scope: ExportScope) => RawBuilder<Row>): Dataset['read'] {
  return async function* readAll(db, scope) {
    yield (await select(scope).execute(db)).rows;
  };
}

/** The rows of a team, or of one of its kinds: the key of each table begins with these. */
interface Part {
  table: 'audit_events' | 'messages' | 'files' | 'records';
  teamId: string;
  kind?: RecordKind;
}

/** Walks a part of a table by its key. */
async function* walk(
  db: Database,
  part: Part,
  readPage: (inPage: RawBuilder<boolean>) => Promise<Row[]>,
): AsyncIterable<Row[]> {
  const inPart = sql`team_id = ${part.teamId} ${part.kind === undefined ? sql`` : sql`and kind = ${part.kind}`}`;
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(part.table)}
      where ${inPart} and id > ${after} order by id offset ${PAGE - 1} limit 1`.execute(db);
    const last = rows[0]?.id;
    yield await readPage(sql`(${inPart} and id > ${after} ${last === undefined ? sql`` : sql`and id <= ${last}`})`);
    if (last === undefined) return;
    after = last;
  }
}

/** The teams that the user belongs to, and those they left. */
export async function listFormerAndCurrentTeams(db: Database, userId: string): Promise<string[]> {
  const { rows } = await sql<{
    team_id: string;
  }>`select team_id from memberships where person_id = ${userId} and email is null
    union select team_id from former_members where person_id = ${userId} order by 1`.execute(db);
  return rows.map(({ team_id }) => team_id);
}

/** The address that the team knew when they left, or that of their account; '' if there is neither. */
export async function findKnownEmail(db: Database, userId: string, teamId: string): Promise<string> {
  const { rows } = await sql<{ email: string }>`
    select coalesce((select email from former_members where team_id = ${teamId} and person_id = ${userId}),
      (select email from people where id = ${userId}), '') as email`.execute(db);
  return rows[0]?.email ?? '';
}

const selectProfile = ({ userId }: ExportScope) => sql<Row>`
  select id, email, ${forProfile((column) => column)}, apps, create_at, update_at, last_picture_update
  from people where id = ${userId}`;

const selectMemberships = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select m.team_id, t.display_name as team_name, case when ${isActive()} then 'active' else 'deactivated' end as state, m.roles,
    m.create_at as joined_at, m.invited_at, m.invited_by, m.ends_on::text as ends_on, m.deactivated_at, m.last_active_at
  from memberships m join teams t on t.id = m.team_id
  where m.person_id = ${userId} and m.team_id = any(${teamIds}) and m.email is null
  union all select f.team_id, t.display_name, 'former', null, null, null, null, null,
    floor(extract(epoch from f.left_at) * 1000)::bigint, null
  from former_members f join teams t on t.id = f.team_id
  where f.person_id = ${userId} and f.team_id = any(${teamIds}) order by 1`;

const selectChannels = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select j.team_id, j.channel_id, c.display_name as channel_name, c.type, j.create_at as joined_at
  from channel_members j join channels c on c.team_id = j.team_id and c.id = j.channel_id
  where j.person_id = ${userId} and j.team_id = any(${teamIds}) order by 1, 2`;

/** Sessions belong to the account: a team sees those of its active members only. */
const selectSessions = ({ userId, teamIds, limits }: ExportScope) => sql<Row>`
  select s.id, s.address, s.user_agent, floor(extract(epoch from s.created_at) * 1000)::bigint as created_at,
    floor(extract(epoch from s.active_at) * 1000)::bigint as last_seen_at
  from sessions s where s.person_id = ${userId} and (s.team_id is null or s.team_id = any(${teamIds}))
    and s.active_at > now() - make_interval(mins => ${limits.idleMinutes})
    and s.created_at > now() - make_interval(hours => ${limits.hours})
    and exists (select 1 from memberships m where m.person_id = s.person_id and m.team_id = any(${teamIds}) and ${isActive()})
  order by s.id`;

/** Second factors belong to the account, like the password: a team only sees if there is one. */
const selectFactors = ({ userId, isOwn }: ExportScope) => sql<Row>`
  select 'authenticator app' as kind, '' as name, floor(extract(epoch from confirmed_at) * 1000)::bigint as created_at,
    null as last_used_at
  from totp_factors where ${isOwn} and person_id = ${userId} and confirmed_at is not null
  union all select 'passkey', name, floor(extract(epoch from created_at) * 1000)::bigint,
    floor(extract(epoch from last_used_at) * 1000)::bigint
  from passkeys where ${isOwn} and person_id = ${userId} order by 1, 3`;

const selectIdentities = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select team_id, issuer, subject, email, floor(extract(epoch from linked_at) * 1000)::bigint as linked_at,
    floor(extract(epoch from used_at) * 1000)::bigint as last_used_at
  from sso_identities where person_id = ${userId} and team_id = any(${teamIds}) order by 1`;

/** Data about them that the identity providers of the teams sent. */
const selectProvisioned = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select s.team_id, s.id, s.user_name, s.external_id, s.given_name, s.family_name, s.display_name, s.emails,
    array(select g.display_name from scim_group_members m
      join scim_groups g on g.team_id = m.team_id and g.id = m.group_id
      where m.team_id = s.team_id and m.user_id = s.id order by 1) as groups,
    floor(extract(epoch from s.created_at) * 1000)::bigint as created_at,
    floor(extract(epoch from s.updated_at) * 1000)::bigint as updated_at, s.suspended_at as deactivated_at
  from scim_users s where s.person_id = ${userId} and s.team_id = any(${teamIds}) order by 1`;

/** Warnings about inactivity, and why the rule leaves them out. */
const selectInactivity = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select m.team_id, w.warned_on::text as warned_on, w.reminded_on::text as warned_again_on,
    e.reason as excepted_because, e.until::text as excepted_until
  from memberships m
  left join inactivity_warnings w on w.team_id = m.team_id and w.person_id = m.person_id
  left join inactivity_exceptions e on e.team_id = m.team_id and e.person_id = m.person_id
  where m.person_id = ${userId} and m.team_id = any(${teamIds}) and (w.person_id is not null or e.person_id is not null)
  order by 1`;

/** Users of connected servers who are linked to the account. What the servers store isn't in an export. */
const selectConnected = ({ userId, teamIds }: ExportScope) => sql<Row>`
  select l.team_id, s.name as server, u.id as user_id, u.username, u.name, u.email,
    floor(extract(epoch from l.linked_at) * 1000)::bigint as linked_at
  from connected_links l join connected_servers s on s.id = l.server_id
  join connected_users u on u.server_id = l.server_id and u.id = l.user_id
  where l.person_id = ${userId} and l.team_id = any(${teamIds}) and l.linked_at is not null order by 1, 2`;

async function* readSignIns(db: Database, { userId, teamIds }: ExportScope) {
  for (const teamId of teamIds)
    for (let after = ''; ; ) {
      const rows = await db
        .selectFrom('sign_ins')
        .select([
          'team_id',
          'id',
          millisecondsIn('at').as('at'),
          'outcome',
          'method',
          'address',
          'device',
          'request_id',
        ])
        .where('team_id', '=', teamId)
        .where('person_id', '=', userId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .execute();
      yield rows;
      if (rows.length < PAGE) break;
      after = rows.at(-1)?.id ?? '';
    }
}

const selectEntries = ({ userId, email, teamIds }: ExportScope) => sql<Row>`
  select team_id, id, name, phone_number, sms, email from directory_entries
  where team_id = any(${teamIds}) and (user_id = ${userId} or (${email} <> '' and lower(email) = ${email})) order by 1, 2`;

async function* readAudit(db: Database, { userId, teamIds, isOwn }: ExportScope) {
  for (const teamId of isOwn ? ['', ...teamIds] : teamIds)
    yield* walk(db, { table: 'audit_events', teamId }, async (inPage) => {
      const { rows } = await sql<Row>`
        select team_id, id, floor(extract(epoch from at) * 1000)::bigint as at, actor_id, action, target, details,
          case when ${isOwn} and actor_id is distinct from ${userId} then '' else address end as address, request_id
        from audit_events where ${inPage} and (actor_id = ${userId} or target = ${userId}) order by id`.execute(db);
      return rows;
    });
}

async function* readMessages(db: Database, { userId, teamIds }: ExportScope) {
  const isRootDeleted = sql<boolean>`messages.root_id <> '' and not exists (
    select 1 from messages r where r.team_id = messages.team_id and r.id = messages.root_id)`;
  for (const teamId of teamIds)
    yield* walk(db, { table: 'messages', teamId }, (inPage) =>
      db
        .selectFrom('messages')
        .select(['team_id', 'id', 'channel_id', 'channel_type', 'external_id', 'text', 'root_id', 'file_ids', 'props'])
        .select(['create_at', 'update_at', 'delete_at', isRootDeleted.as('root_deleted')])
        .where(inPage)
        .where('user_id', '=', userId)
        .orderBy('id')
        .execute(),
    );
}

async function* readFiles(db: Database, { userId, teamIds }: ExportScope) {
  for (const teamId of teamIds)
    yield* walk(db, { table: 'files', teamId }, (inPage) =>
      db
        .selectFrom('files')
        .select(['team_id', 'id', 'channel_id', 'post_id', 'external_id', 'name', 'size', 'create_at', 'update_at'])
        .select(['delete_at', 'blob'])
        .where(inPage)
        .where('user_id', '=', userId)
        .where('doomed', '=', false)
        .orderBy('id')
        .execute(),
    );
}

async function* readRecords(db: Database, { userId, teamIds }: ExportScope) {
  for (const teamId of teamIds)
    for (const kind of RECORD_KINDS)
      yield* walk(db, { table: 'records', teamId, kind }, (inPage) =>
        db
          .selectFrom('records')
          .select(['team_id', 'kind', 'id', 'external_id', 'title', 'text', 'name', 'size', 'clock'])
          .select(['create_at', 'update_at', 'delete_at', 'blob'])
          .where(inPage)
          .where('user_id', '=', userId)
          .where('doomed', '=', false)
          .orderBy('id')
          .execute(),
      );
}

const list = (columns: string) => columns.split(' ');

/** Everything that is exported, in the order of the files. */
export const DATASETS: readonly Dataset[] = [
  {
    name: 'profile',
    columns: ['id', 'email', ...PROFILE_FIELDS, 'apps', 'create_at', 'update_at', 'last_picture_update'],
    read: inOneQuery(selectProfile),
  },
  {
    name: 'memberships',
    columns: list(
      'team_id team_name state roles joined_at invited_at invited_by ends_on deactivated_at last_active_at',
    ),
    read: inOneQuery(selectMemberships),
  },
  {
    name: 'channels',
    columns: list('team_id channel_id channel_name type joined_at'),
    read: inOneQuery(selectChannels),
  },
  {
    name: 'sessions',
    columns: list('id address user_agent created_at last_seen_at'),
    read: inOneQuery(selectSessions),
  },
  { name: 'second_factors', columns: list('kind name created_at last_used_at'), read: inOneQuery(selectFactors) },
  {
    name: 'single_sign_on',
    columns: list('team_id issuer subject email linked_at last_used_at'),
    read: inOneQuery(selectIdentities),
  },
  {
    name: 'provisioning',
    columns: list(
      'team_id id user_name external_id given_name family_name display_name emails groups created_at updated_at deactivated_at',
    ),
    read: inOneQuery(selectProvisioned),
  },
  {
    name: 'inactivity',
    columns: list('team_id warned_on warned_again_on excepted_because excepted_until'),
    read: inOneQuery(selectInactivity),
  },
  {
    name: 'connected_servers',
    columns: list('team_id server user_id username name email linked_at'),
    read: inOneQuery(selectConnected),
  },
  { name: 'sign_ins', columns: list('team_id id at outcome method address device request_id'), read: readSignIns },
  { name: 'directory', columns: list('team_id id name phone_number sms email'), read: inOneQuery(selectEntries) },
  {
    name: 'audit_log',
    columns: list('team_id id at actor_id action target details address request_id'),
    read: readAudit,
  },
  {
    name: 'messages',
    columns: list(
      'team_id id channel_id channel_type external_id text root_id root_deleted file_ids props create_at update_at delete_at',
    ),
    read: readMessages,
  },
  {
    name: 'files',
    columns: list('team_id id channel_id post_id external_id name size create_at update_at delete_at content'),
    read: readFiles,
  },
  {
    name: 'records',
    columns: list('team_id kind id external_id title text name size clock create_at update_at delete_at content'),
    read: readRecords,
  },
];
