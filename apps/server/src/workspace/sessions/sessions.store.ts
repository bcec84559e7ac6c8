import { SESSIONS_PER_PERSON } from '@steward/contract/api/limits';
import { type RawBuilder, sql } from 'kysely';
import { type Database, prepared, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import type { Env } from '#platform/env.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** Who a session cookie belongs to, and what they are in one team. */
export interface SessionHolder {
  session_id: string;
  person_id: string;
  /** Roles in the team that was asked for; empty when they do not belong to it. */
  roles: string[];
  /** The last use was noted more than a minute ago. */
  is_stale: boolean;
}

export interface SessionLimits {
  idleMinutes: number;
  hours: number;
}

/** How long a session lives, as the operator set it. */
export function sessionLimits(env: Pick<Env, 'SESSION_IDLE_MINUTES' | 'SESSION_HOURS'>): SessionLimits {
  return { idleMinutes: env.SESSION_IDLE_MINUTES, hours: env.SESSION_HOURS };
}

/** Neither idle nor too old, by the database's clock. */
function isAlive({ idleMinutes, hours }: SessionLimits): RawBuilder<boolean> {
  return sql`(active_at > now() - make_interval(mins => ${idleMinutes})
    and created_at > now() - make_interval(hours => ${hours}))`;
}

/** The holder of a token that is neither idle nor too old, by the database's clock: one query, role included. */
export async function findSession(
  db: Database,
  search: { token: string; teamId: string | undefined; limits: SessionLimits },
): Promise<SessionHolder | undefined> {
  const { token, teamId, limits } = search;
  const { rows } = await sql<SessionHolder>`${prepared}
    select s.id as session_id, s.person_id, coalesce(m.roles, '{}') as roles,
      s.active_at < now() - interval '1 minute' as is_stale
    from sessions s
    join people p on p.id = s.person_id and p.delete_at = 0 and p.type = 2
    left join memberships m on m.person_id = s.person_id and m.team_id = ${teamId ?? ''}
    where s.token_hash = ${hashToken(token)}
      and s.active_at > now() - make_interval(mins => ${limits.idleMinutes})
      and s.created_at > now() - make_interval(hours => ${limits.hours})`.execute(db);
  return rows[0];
}

/** Notes that the session was used now. */
export async function recordSessionUse(db: Database, sessionId: string): Promise<void> {
  await sql`update sessions set active_at = now() where id = ${sessionId}`.execute(db);
}

export interface NewSession {
  personId: string;
  deviceId: string;
  userAgent: string;
  address: string;
}

/** Begins a session and answers its token; the oldest end when the person has too many. */
export async function addSession(trx: Trx, session: NewSession): Promise<string> {
  const token = newToken();
  await trx
    .insertInto('sessions')
    .values({
      id: newId(),
      person_id: session.personId,
      token_hash: hashToken(token),
      device_id: session.deviceId,
      user_agent: session.userAgent,
      address: session.address,
    })
    .execute();
  await sql`delete from sessions where id in (
    select id from sessions where person_id = ${session.personId}
    order by created_at desc, id desc offset ${SESSIONS_PER_PERSON})`.execute(trx);
  return token;
}

/** Ends the session of a token, if there is one. */
export async function removeSession(trx: Trx, token: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', hashToken(token))
    .returning('person_id')
    .executeTakeFirst();
  return row?.person_id;
}

/** Ends every session of a person and answers what they were. */
export async function removePersonSessions(
  trx: Trx,
  personId: string,
): Promise<{ user_agent: string; address: string; active_at: Date }[]> {
  return trx
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .returning(['user_agent', 'address', 'active_at'])
    .execute();
}

/** Ends every session of everybody and answers how many there were. */
export async function removeAllSessions(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('sessions').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** A session that lives, without what it is used with; instants in milliseconds. */
export interface LiveSession {
  id: string;
  user_agent: string;
  address: string;
  created_at: number;
  last_seen_at: number;
}

const liveColumns = sql`id, user_agent, address, ${toMilliseconds(sql`created_at`)} as created_at,
  ${toMilliseconds(sql`active_at`)} as last_seen_at`;

/** The live sessions of a person, the last used first. */
export async function listPersonSessions(
  db: Database | Trx,
  personId: string,
  limits: SessionLimits,
): Promise<LiveSession[]> {
  const { rows } = await sql<LiveSession>`select ${liveColumns} from sessions
    where person_id = ${personId} and ${isAlive(limits)}
    order by active_at desc, id desc limit ${SESSIONS_PER_PERSON}`.execute(db);
  return rows;
}

/** Ends a session of a person, or every one, and answers those of them that still lived. */
export async function endSessions(
  trx: Trx,
  { personId, sessionId = null }: { personId: string; sessionId?: string | null },
  limits: SessionLimits,
): Promise<LiveSession[]> {
  const { rows } = await sql<LiveSession & { is_live: boolean }>`delete from sessions
    where person_id = ${personId} and (${sessionId}::text is null or id = ${sessionId})
    returning ${liveColumns}, ${isAlive(limits)} as is_live`.execute(trx);
  return rows.filter(({ is_live }) => is_live).sort((a, b) => b.last_seen_at - a.last_seen_at);
}

/** Removes what no longer signs anybody in. */
export async function removeExpiredSessions(db: Database, limits: SessionLimits): Promise<void> {
  await sql`delete from sessions where created_at < now() - make_interval(hours => ${limits.hours})
    or active_at < now() - make_interval(mins => ${limits.idleMinutes})`.execute(db);
}

/** Whether the person signed in from this address within 30 days. */
export async function isKnownAddress(db: Database, personId: string, address: string): Promise<boolean> {
  const { rows } = await sql`select 1 from known_addresses
    where person_id = ${personId} and address = ${address} and seen_at > now() - interval '30 days'`.execute(db);
  return rows.length > 0;
}

/** Remembers an address from which the person signed in. */
export async function saveKnownAddress(trx: Trx, personId: string, address: string): Promise<void> {
  await sql`insert into known_addresses (person_id, address) values (${personId}, ${address})
    on conflict (person_id, address) do update set seen_at = now()`.execute(trx);
}

/** Forgets addresses that nobody signed in from for 30 days. */
export async function removeOldAddresses(db: Database): Promise<void> {
  await sql`delete from known_addresses where seen_at < now() - interval '30 days'`.execute(db);
}
