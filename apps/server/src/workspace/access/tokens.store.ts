import { TOKEN_NOTICE_DAYS, TOKEN_REPLACED_MS } from '@steward/contract/api/limits';
import type { ContentKind } from '@steward/contract/content';
import type { Token } from '@steward/contract/tokens';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { databaseNow, millisecondsIn } from '#platform/database/milliseconds.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { isUnended } from '#workspace/users/active-members.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** Prefix by which users and secret scanners recognize a service token. */
const TOKEN_PREFIX = 'stw_';

const creatorName = sql<string>`case when t.created_by is null then 'Operator'
  else ${nameInTeam({ team: 't.team_id', user: 't.created_by', users: 'p' })} end`;

/** Tokens of a team, newest first; those that stopped too, until they are removed. */
export async function listServiceTokens(db: Database | Trx, teamId: string): Promise<Token[]> {
  const rows = await db
    .selectFrom('service_tokens as t')
    .leftJoin('people as p', 'p.id', 't.created_by')
    .select(['t.id', 't.name', ({ fn, val }) => fn.coalesce('t.created_by', val('')).as('created_by')])
    .select(['t.kinds', 't.speak_for_users', 't.source_id'])
    .select([
      millisecondsIn('t.created_at').as('created_at'),
      millisecondsIn('t.expires_at').as('expires_at'),
      millisecondsIn('t.stopped_at').as('stopped_at'),
      millisecondsIn('t.last_used_at').as('last_used_at'),
      creatorName.as('created_by_name'),
    ])
    .where('t.team_id', '=', teamId)
    .orderBy('t.id', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, kinds: row.kinds as ContentKind[] }));
}

/** Locks the team's tokens until the transaction ends; returns their number and the database's clock in milliseconds. */
export async function lockServiceTokens(trx: Trx, teamId: string): Promise<{ count: number; now: number }> {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forUpdate().execute();
  return trx
    .selectFrom('service_tokens')
    .select(({ fn }) => [fn.countAll<number>().as('count'), databaseNow.$notNull().as('now')])
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
}

export interface NewServiceToken {
  teamId: string;
  name: string;
  /** Null for the operator of a team without an owner. */
  createdBy: string | null;
  kinds: readonly ContentKind[];
  speakForUsers: boolean;
  /** In milliseconds. */
  expiresAt: number;
  /** The source that it continues; a new one if absent. */
  sourceId?: string | undefined;
}

/** Creates a token. Only its hash is stored. */
export async function addServiceToken(trx: Trx, added: NewServiceToken): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), TOKEN_PREFIX + newToken()];
  await trx
    .insertInto('service_tokens')
    .values({
      team_id: added.teamId,
      id,
      name: added.name,
      token_hash: hashToken(token),
      created_by: added.createdBy,
      kinds: [...added.kinds],
      speak_for_users: added.speakForUsers,
      expires_at: new Date(added.expiresAt),
      source_id: added.sourceId ?? newId(),
    })
    .execute();
  return { id, token };
}

/**
 * Lets a token end within 24 hours, because another one replaces it, and returns its source; undefined if the team has no such
 * token. One that has ended already stays as it is.
 */
export async function endReplacedToken(trx: Trx, teamId: string, id: string): Promise<string | undefined> {
  const row = await trx
    .updateTable('service_tokens')
    .set({
      expires_at: sql<Date>`least(expires_at, now() + make_interval(secs => ${TOKEN_REPLACED_MS / 1_000}))`,
      expiry_notified: true,
    })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('source_id')
    .executeTakeFirst();
  return row?.source_id;
}

/** Removes a token and returns its name; undefined if the team has no such token. */
export async function removeServiceToken(trx: Trx, teamId: string, id: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('service_tokens')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/**
 * Stops the tokens that a user, or one of several, created in a team and returns their number. Their rows stay, so that
 * an owner can replace them and the service keeps its content.
 */
export async function stopTokens(trx: Trx, teamId: string, userId: string | readonly string[]): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('service_tokens')
    .set({ stopped_at: sql<Date>`now()` })
    .where('team_id', '=', teamId)
    .where('stopped_at', 'is', null)
    .where(sql<boolean>`created_by = any(${[userId].flat()})`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Ends all tokens of a restored workspace, in every version of the schema: those that were removed after the backup must not work
 * again. Their rows stay, because content refers to them, but no token has such a hash.
 */
export const END_ALL_TOKENS = `update service_tokens set token_hash = 'ended:' || id
  where token_hash not like 'ended:%' returning team_id`;

export async function endAllTokens(trx: Trx): Promise<number> {
  const { rows } = await sql.raw(END_ALL_TOKENS).execute(trx);
  await showEndedTokens(trx);
  return rows.length;
}

/** Marks tokens that a restore ended as stopped, so that the list says so; in the current version of the schema. */
export async function showEndedTokens(trx: Trx): Promise<void> {
  await trx
    .updateTable('service_tokens')
    .set({ stopped_at: sql<Date>`now()` })
    .where('token_hash', 'like', 'ended:%')
    .where('stopped_at', 'is', null)
    .execute();
}

export interface KnownToken {
  id: string;
  team_id: string;
  source_id: string;
  kinds: string[];
  speak_for_users: boolean;
  /** The last use was recorded more than a minute ago. */
  is_stale: boolean;
}

/** A token stops with the membership of the user who created it; shortly after their last day that isn't stored yet. */
const isValid = sql`stopped_at is null and expires_at > now() and not exists (select from memberships m
  where m.team_id = service_tokens.team_id and m.person_id = service_tokens.created_by and not ${isUnended()})`;

export async function findServiceToken(db: Database | Trx, token: string): Promise<KnownToken | undefined> {
  const statement = sql<KnownToken>`
    select id, team_id, source_id, kinds, speak_for_users,
      coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from service_tokens where token_hash = ${hashToken(token)} and ${isValid}`;
  const [known] = await runPrepared(db, statement);
  return known;
}

export async function recordServiceTokenUse(db: Database, { team_id, id }: KnownToken): Promise<void> {
  await db
    .updateTable('service_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}

/** Checks that a token hasn't ended, and keeps others from stopping or removing it until the transaction ends. */
export async function lockActiveToken(trx: Trx, teamId: string, id: string): Promise<boolean> {
  const statement = sql`select 1 from service_tokens where team_id = ${teamId} and id = ${id} and ${isValid} for share`;
  return (await runPrepared(trx, statement)).length > 0;
}

/** Teams handled in one run; the next run does the rest. */
const TEAMS = 1_000;

const expiresSoon = sql<boolean>`not expiry_notified and stopped_at is null
  and expires_at < now() + make_interval(days => ${TOKEN_NOTICE_DAYS})`;

/** Teams whose owners don't know yet that a token will expire. */
export async function listTeamsWithExpiringTokens(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('service_tokens')
    .select('team_id')
    .distinct()
    .where(expiresSoon)
    .orderBy('team_id')
    .limit(TEAMS)
    .execute();
  return rows.map(({ team_id }) => team_id);
}

export interface ExpiringToken {
  id: string;
  name: string;
  created_by: string | null;
  expires_at: number;
}

/** Takes the tokens of a team that will expire: the caller informs the owners, and no other process does. */
export async function takeExpiringTokens(trx: Trx, teamId: string): Promise<ExpiringToken[]> {
  const rows = await trx
    .updateTable('service_tokens')
    .set({ expiry_notified: true })
    .where('team_id', '=', teamId)
    .where(expiresSoon)
    .returning(['id', 'name', 'created_by', millisecondsIn('expires_at').as('expires_at')])
    .execute();
  return rows.toSorted((a, b) => a.expires_at - b.expires_at);
}

/** Teams whose owners don't know yet that a migration narrowed the rights of tokens. */
export async function listTeamsWithNarrowedTokens(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('service_tokens')
    .select('team_id')
    .distinct()
    .where('owners_notified', '=', false)
    .orderBy('team_id')
    .limit(TEAMS)
    .execute();
  return rows.map(({ team_id }) => team_id);
}

export type NarrowedToken = Pick<Token, 'name' | 'speak_for_users'> & { kinds: string[] };

/** Takes those tokens of a team: the caller informs the owners, and no other process does. */
export async function takeNarrowedTokens(trx: Trx, teamId: string): Promise<NarrowedToken[]> {
  const rows = await trx
    .updateTable('service_tokens')
    .set({ owners_notified: true })
    .where('team_id', '=', teamId)
    .where('owners_notified', '=', false)
    .returning(['name', 'kinds', 'speak_for_users'])
    .execute();
  return rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
