import type { Token } from '@steward/contract/tokens';
import { sql } from 'kysely';
import { type Database, prepared, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** Prefix by which people and secret scanners recognize a service token. */
const TOKEN_PREFIX = 'stw_';

const creatorName = sql<string>`coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email, 'Operator')`;

/** Tokens of a team, newest first. */
export async function listServiceTokens(db: Database | Trx, teamId: string): Promise<Token[]> {
  return db
    .selectFrom('service_tokens as t')
    .leftJoin('people as p', 'p.id', 't.created_by')
    .select(['t.id', 't.name', ({ fn, val }) => fn.coalesce('t.created_by', val('')).as('created_by')])
    .select([
      millisecondsIn('t.created_at').as('created_at'),
      millisecondsIn('t.last_used_at').as('last_used_at'),
      creatorName.as('created_by_name'),
    ])
    .where('t.team_id', '=', teamId)
    .orderBy('t.id', 'desc')
    .execute();
}

/** Locks the team's tokens until the transaction ends and returns their number. */
export async function countServiceTokens(trx: Trx, teamId: string): Promise<number> {
  await trx.selectFrom('teams').select('id').where('id', '=', teamId).forUpdate().execute();
  const { count } = await trx
    .selectFrom('service_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Creates a token. Only its hash is stored; `createdBy` is null for the operator. */
export async function addServiceToken(
  trx: Trx,
  { teamId, name, createdBy }: { teamId: string; name: string; createdBy: string | null },
): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), TOKEN_PREFIX + newToken()];
  await trx
    .insertInto('service_tokens')
    .values({ team_id: teamId, id, name, token_hash: hashToken(token), created_by: createdBy })
    .execute();
  return { id, token };
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

/** Removes the tokens that a person, or one of several, created in a team and returns their number. */
export async function removeTokensOf(trx: Trx, teamId: string, personId: string | readonly string[]): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('service_tokens')
    .where('team_id', '=', teamId)
    .where(sql<boolean>`created_by = any(${[personId].flat()})`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Ends all tokens of a restored workspace, in every version of the schema: those that were removed after the backup must not work
 * again. Their rows stay, because content refers to them, but no token has such a hash.
 */
export const END_ALL_TOKENS = `update service_tokens set token_hash = 'ended:' || id
  where token_hash not like 'ended:%' returning team_id`;

/** Ends all tokens and returns their number. */
export async function endAllTokens(trx: Trx): Promise<number> {
  const { rows } = await sql.raw(END_ALL_TOKENS).execute(trx);
  return rows.length;
}

/** An active token. */
export interface KnownToken {
  id: string;
  team_id: string;
  /** Its last use wasn't recorded within this minute. */
  is_stale: boolean;
}

/** Finds an active token. */
export async function findServiceToken(db: Database, token: string): Promise<KnownToken | undefined> {
  const { rows } = await sql<KnownToken>`${prepared}
    select id, team_id, coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from service_tokens where token_hash = ${hashToken(token)}`.execute(db);
  return rows[0];
}

/** Records that the token was used now. */
export async function recordServiceTokenUse(db: Database, { team_id, id }: KnownToken): Promise<void> {
  await db
    .updateTable('service_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}

/** Whether the token is still active: removing it also stops a running import. */
export async function isActiveToken(trx: Trx, teamId: string, id: string): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select 1 from service_tokens where team_id = ${teamId} and id = ${id}`.execute(trx);
  return rows.length > 0;
}
