import { SESSIONS_PER_USER } from '@steward/contract/api/limits';
import type { SessionMethod } from '@steward/contract/session';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import type { Env } from '#platform/env.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import type { EntryRules, SessionState } from '../team-security.rules.ts';
import { entryRules } from '../team-security.store.ts';
import { removeAllKnownDevices, removeKnownDevice, removeKnownDevices } from './known-devices.store.ts';

/** The user of a session cookie, with their roles in one team. */
export interface SessionHolder extends SessionState {
  session_id: string;
  person_id: string;
  /**
   * Roles in the requested team; empty for a user outside it, for a deactivated one, and if the session doesn't open
   * it.
   */
  roles: string[];
  /** The last use was recorded more than a minute ago. */
  is_stale: boolean;
  /** The rules of the requested team for this session. */
  security: EntryRules | null;
}

export interface SessionLimits {
  idleMinutes: number;
  hours: number;
}

export function sessionLimits(env: Pick<Env, 'SESSION_IDLE_MINUTES' | 'SESSION_HOURS'>): SessionLimits {
  return { idleMinutes: env.SESSION_IDLE_MINUTES, hours: env.SESSION_HOURS };
}

/** By the clock of the database. */
function isAlive({ idleMinutes, hours }: SessionLimits): RawBuilder<boolean> {
  return sql`(active_at > now() - make_interval(mins => ${idleMinutes})
    and created_at > now() - make_interval(hours => ${hours}))`;
}

export interface SessionSearch {
  tokenHash: string;
  teamId: string | undefined;
  limits: SessionLimits;
}

/** Needs `sessions s`. */
const stateColumns = sql`s.method, s.team_id as only_team_id, s.connection_id,
  extract(epoch from now() - s.auth_at)::int as auth_seconds, s.mfa_at is not null as has_second_factor,
  greatest(s.longest_idle_seconds, extract(epoch from now() - s.active_at)::int) as idle_seconds`;

/** One query finds the session, the roles and the rules of the team. */
export async function findSession(
  db: Database | Trx,
  { tokenHash, teamId = '', limits }: SessionSearch,
): Promise<SessionHolder | undefined> {
  const statement = sql<SessionHolder>`
    select s.id as session_id, s.person_id, coalesce(m.roles, '{}') as roles,
      s.active_at < now() - interval '1 minute' as is_stale, ${stateColumns},
      ${entryRules} as security
    from sessions s
    left join memberships m on m.person_id = s.person_id and m.team_id = ${teamId} and ${isActive()}
      and (s.team_id is null or s.team_id = m.team_id)
    left join team_security t on t.team_id = m.team_id
    left join break_glass_owners b on b.team_id = m.team_id and b.person_id = m.person_id
    left join signed_out_sessions o on o.session_id = s.id and o.team_id = m.team_id
    where s.token_hash = ${tokenHash}
      and s.active_at > now() - make_interval(mins => ${limits.idleMinutes})
      and s.created_at > now() - make_interval(hours => ${limits.hours})`;
  const [holder] = await runPrepared(db, statement);
  return holder;
}

/**
 * Keeps others from removing a session, or from changing the membership of its user in a team, until the transaction ends.
 * Returns the roles of the membership, which are null without one; undefined without the session. Uses of the session can
 * still be recorded.
 */
export async function lockRights(
  trx: Trx,
  { sessionId, teamId = '' }: { sessionId: string; teamId: string | undefined },
): Promise<{ roles: string[] | null } | undefined> {
  const statement = sql<{ roles: string[] | null }>`
    with s as materialized (select person_id from sessions where id = ${sessionId} for key share),
    m as materialized (select m.roles from s join memberships m on m.person_id = s.person_id
      where m.team_id = ${teamId} and ${isActive()} for share of m)
    select m.roles from s left join m on true`;
  const [rights] = await runPrepared(trx, statement);
  return rights;
}

/** Records the use, and the time without one before it. */
export async function recordSessionUse(db: Database, sessionId: string): Promise<void> {
  const idle = sql<number>`greatest(longest_idle_seconds, extract(epoch from now() - active_at)::int)`;
  await db
    .updateTable('sessions')
    .set({ longest_idle_seconds: idle, active_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute();
}

/**
 * Records that the user proved their identity: limits of teams count from now, and teams that signed it out open again. False
 * if the session has ended.
 */
export async function recordAuthentication(
  trx: Trx,
  sessionId: string,
  { hasSecondFactor }: { hasSecondFactor: boolean },
): Promise<boolean> {
  const now = sql<Date>`now()`;
  const { numUpdatedRows } = await trx
    .updateTable('sessions')
    .set({ auth_at: now, active_at: now, longest_idle_seconds: 0, ...(hasSecondFactor && { mfa_at: now }) })
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('signed_out_sessions').where('session_id', '=', sessionId).execute();
  return numUpdatedRows > 0n;
}

/** Records a second factor without a new proof of identity. */
export async function recordSecondFactor(trx: Trx, sessionId: string): Promise<void> {
  await trx.updateTable('sessions').set({ mfa_at: sql<Date>`now()` }).where('id', '=', sessionId).execute();
}

/** The factor that the sessions of a user were confirmed with no longer exists. */
export async function forgetSecondFactor(trx: Trx, userId: string): Promise<void> {
  await trx.updateTable('sessions').set({ mfa_at: null }).where('person_id', '=', userId).execute();
}

export interface NewSession {
  userId: string;
  deviceId: string;
  userAgent: string;
  address: string;
  /** Token of the device cookie. */
  device?: string;
  /** 'password' when absent. */
  method?: SessionMethod;
  /** A passkey counts as one. */
  hasSecondFactor?: boolean;
  /** Set if the session begins at an identity provider: it opens this team only. */
  sso?: SsoStart;
}

export interface SsoStart {
  teamId: string;
  connectionId: string;
  idpSid: string | null;
  /** The time when the user last proved their identity there, in seconds since 1970; null for now. */
  authTime: number | null;
}

/** Part of a statement: adds a session with this token, once for the row of a FROM clause if there is one. */
export function insertSession(token: string, session: NewSession, from: RawBuilder<unknown>): RawBuilder<unknown> {
  const { userId, deviceId, userAgent, address, device, method = 'password', hasSecondFactor = false, sso } = session;
  return sql`insert into sessions (id, person_id, token_hash, device_id, user_agent, address, known_device, method, mfa_at,
      team_id, connection_id, idp_sid, auth_at)
    select ${newId()}, ${userId}, ${hashToken(token)}, ${deviceId}, ${userAgent}, ${address},
      ${device === undefined ? null : hashToken(device)}, ${method}, case when ${hasSecondFactor}::boolean then now() end,
      ${sso?.teamId ?? null}, ${sso?.connectionId ?? null}, ${sso?.idpSid ?? null},
      least(now(), to_timestamp(${sso?.authTime ?? null}::float8)) ${from}`;
}

/**
 * Part of a statement: ends the session of a token, and the oldest ones of a user who has too many with the one that
 * begins.
 */
export function deleteEarlierSessions(userId: string, token: string, when: RawBuilder<boolean>): RawBuilder<unknown> {
  const earlier = hashToken(token);
  return sql`delete from sessions where id in (
    select id from sessions where token_hash = ${earlier} union all
    (select id from sessions where person_id = ${userId} and token_hash <> ${earlier}
      order by created_at desc, id desc offset ${SESSIONS_PER_USER - 1})) and ${when}`;
}

export async function removeSession(
  trx: Trx,
  token: string,
): Promise<{ person_id: string; connection_id: string | null } | undefined> {
  return trx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(token))
    .returning(['person_id', 'connection_id'])
    .executeTakeFirst();
}

/** The devices of these sessions are no longer known. */
export async function removeUserSessions(
  trx: Trx,
  userId: string,
): Promise<{ user_agent: string; address: string; active_at: Date }[]> {
  const ended = await trx
    .deleteFrom('sessions')
    .where('person_id', '=', userId)
    .returning(['user_agent', 'address', 'active_at'])
    .execute();
  await removeKnownDevices(trx, [userId]);
  return ended;
}

/** No device is known any longer. */
export async function removeAllSessions(trx: Trx): Promise<number> {
  await removeAllKnownDevices(trx);
  const { numDeletedRows } = await trx.deleteFrom('sessions').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** An active session without its token; times in milliseconds. */
export interface LiveSession {
  id: string;
  user_agent: string;
  address: string;
  created_at: number;
  last_seen_at: number;
}

const liveColumns = [
  'id',
  'user_agent',
  'address',
  millisecondsIn('created_at').as('created_at'),
  millisecondsIn('active_at').as('last_seen_at'),
] as const;

/** The sessions that open a team. Needs `sessions`. */
const opensTeam = (
  teamId: string,
) => sql<boolean>`((sessions.team_id is null or sessions.team_id = ${teamId}) and not exists (
  select from signed_out_sessions o where o.session_id = sessions.id and o.team_id = ${teamId}))`;

/** All sessions of a user, or those that open a team. */
export async function listUserSessions(
  db: Database | Trx,
  { userId, teamId }: { userId: string; teamId?: string },
  limits: SessionLimits,
): Promise<LiveSession[]> {
  let query = db.selectFrom('sessions').select(liveColumns).where('person_id', '=', userId).where(isAlive(limits));
  if (teamId !== undefined) query = query.where(opensTeam(teamId));
  return query.orderBy('sessions.active_at', 'desc').orderBy('sessions.id', 'desc').limit(SESSIONS_PER_USER).execute();
}

/**
 * Ends one session of a user, or all sessions of one or several users, and returns those that were still active. Their
 * devices are no longer known.
 */
export async function endSessions(
  trx: Trx,
  { userId, sessionId = null }: { userId: string | readonly string[]; sessionId?: string | null },
  limits: SessionLimits,
): Promise<LiveSession[]> {
  const users = [userId].flat();
  let ended = trx
    .deleteFrom('sessions')
    .where(sql<boolean>`person_id = any(${users})`)
    .returning([...liveColumns, 'person_id', 'known_device', isAlive(limits).as('is_live')]);
  if (sessionId !== null) ended = ended.where('id', '=', sessionId);
  const rows = await ended.execute();
  if (sessionId === null) await removeKnownDevices(trx, users);
  for (const row of sessionId === null ? [] : rows)
    if (row.known_device !== null) await removeKnownDevice(trx, row.person_id, row.known_device);
  return rows
    .filter(({ is_live }) => is_live)
    .map(({ person_id: _person, known_device: _device, ...row }) => row)
    .sort((a, b) => b.last_seen_at - a.last_seen_at);
}

/**
 * The same for a team and users whose accounts have other teams: it ends what opens this team alone. The other sessions no
 * longer open this team until the user proves their identity again.
 */
export async function endSessionsForTeam(
  trx: Trx,
  { teamId, userIds, sessionId = null }: { teamId: string; userIds: readonly string[]; sessionId?: string | null },
  limits: SessionLimits,
): Promise<LiveSession[]> {
  const isMeant = sql<boolean>`(person_id = any(${[...userIds]}) and ${opensTeam(teamId)}
    and (${sessionId}::text is null or id = ${sessionId}))`;
  const live = [...liveColumns, isAlive(limits).as('is_live')] as const;
  const open = await trx
    .selectFrom('sessions')
    .select([...live, 'team_id'])
    .where(isMeant)
    .forUpdate()
    .execute();
  const ids = (isBound: boolean) => open.filter((row) => (row.team_id !== null) === isBound).map(({ id }) => id);
  await sql`delete from sessions where id = any(${ids(true)})`.execute(trx);
  await sql`insert into signed_out_sessions (session_id, team_id) select unnest(${ids(false)}::text[]), ${teamId}
    on conflict do nothing`.execute(trx);
  return open
    .filter(({ is_live }) => is_live)
    .map(({ team_id: _team, is_live: _live, ...row }) => row)
    .sort((a, b) => b.last_seen_at - a.last_seen_at);
}

/** Ends all sessions of a user but one, and returns their number; only the device of that one is still known. */
export async function endOtherSessions(
  trx: Trx,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('person_id', '=', userId)
    .where('id', '<>', sessionId)
    .executeTakeFirstOrThrow();
  await removeKnownDevices(trx, [userId]);
  return Number(numDeletedRows);
}

/**
 * Ends the sessions that began with a connection to an identity provider, and returns their number: all of them, those
 * of one session at the provider, or those of one user.
 */
export async function endConnectionSessions(
  trx: Trx,
  { connectionId, idpSid, userId }: { connectionId: string; idpSid?: string; userId?: string },
): Promise<number> {
  let ended = trx.deleteFrom('sessions').where('connection_id', '=', connectionId);
  if (idpSid !== undefined) ended = ended.where('idp_sid', '=', idpSid);
  if (userId !== undefined) ended = ended.where('person_id', '=', userId);
  return Number((await ended.executeTakeFirstOrThrow()).numDeletedRows);
}

/**
 * The user and the state of an active session, which no one else can end or use up until the transaction ends; undefined if it
 * has ended.
 */
export async function lockSession(
  trx: Trx,
  sessionId: string,
  limits: SessionLimits,
): Promise<{ userId: string; session: SessionState } | undefined> {
  const { rows } = await sql<SessionState & { person_id: string }>`
    select person_id, ${stateColumns} from sessions s where id = ${sessionId} and ${isAlive(limits)} for update`.execute(
    trx,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { person_id: userId, ...session } = row;
  return { userId, session };
}

export async function removeSessionById(trx: Trx, sessionId: string): Promise<void> {
  await trx.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

export async function removeExpiredSessions(db: Database, limits: SessionLimits): Promise<void> {
  const tooOld = sql<Date>`now() - make_interval(hours => ${limits.hours})`;
  const tooIdle = sql<Date>`now() - make_interval(mins => ${limits.idleMinutes})`;
  await db
    .deleteFrom('sessions')
    .where(({ eb }) => eb('created_at', '<', tooOld).or('active_at', '<', tooIdle))
    .execute();
}
