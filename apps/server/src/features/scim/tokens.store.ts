import type { ScimToken } from '@steward/contract/scim';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { runPrepared } from '#platform/database/prepared.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** Users and secret scanners recognize a provisioning token by this prefix. */
const TOKEN_PREFIX = 'stwp_';

/** Newest first. Includes stopped tokens until they are removed. */
export async function listScimTokens(db: Database | Trx, teamId: string): Promise<ScimToken[]> {
  const creatorName = nameInTeam({ team: 't.team_id', user: 't.created_by', users: 'p' });
  return db
    .selectFrom('scim_tokens as t')
    .leftJoin('people as p', 'p.id', 't.created_by')
    .select(['t.id', 't.name', 't.created_by', creatorName.as('created_by_name')])
    .select([
      millisecondsIn('t.created_at').as('created_at'),
      millisecondsIn('t.stopped_at').as('stopped_at'),
      millisecondsIn('t.last_used_at').as('last_used_at'),
    ])
    .where('t.team_id', '=', teamId)
    .orderBy('t.id', 'desc')
    .execute();
}

export async function countScimTokens(trx: Trx, teamId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('scim_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Only the hash is stored. */
export async function addScimToken(
  trx: Trx,
  added: { teamId: string; name: string; createdBy: string },
): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), TOKEN_PREFIX + newToken()];
  await trx
    .insertInto('scim_tokens')
    .values({ team_id: added.teamId, id, name: added.name, token_hash: hashToken(token), created_by: added.createdBy })
    .execute();
  return { id, token };
}

/** Returns the name; undefined if the team has no such token. */
export async function removeScimToken(trx: Trx, teamId: string, id: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('scim_tokens')
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/**
 * Ends all tokens of a restored workspace, with a schema of any version: tokens removed after the backup must not work again.
 * The rows remain, so that owners see which tokens to replace.
 */
export const END_ALL_SCIM_TOKENS = `do $$ begin
  if to_regclass('scim_tokens') is not null then
    update scim_tokens set token_hash = 'ended:' || id, stopped_at = coalesce(stopped_at, now())
      where token_hash not like 'ended:%';
  end if;
end $$`;

export async function endAllScimTokens(trx: Trx): Promise<void> {
  await sql.raw(END_ALL_SCIM_TOKENS).execute(trx);
}

export interface KnownScimToken {
  team_id: string;
  id: string;
  created_by: string;
  /** True if the last use is older than a minute, so that the new one is recorded. */
  is_stale: boolean;
}

export async function findScimToken(db: Database, token: string): Promise<KnownScimToken | undefined> {
  const statement = sql<KnownScimToken>`
    select team_id, id, created_by, coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from scim_tokens where token_hash = ${hashToken(token)} and stopped_at is null`;
  const [known] = await runPrepared(db, statement);
  return known;
}

/** Checked within a change, so that ending the token also refuses changes in progress. It can't end until the commit. */
export async function lockActiveScimToken(trx: Trx, teamId: string, id: string): Promise<boolean> {
  const statement = sql`select 1 from scim_tokens where team_id = ${teamId} and id = ${id} and stopped_at is null
    for share`;
  return (await runPrepared(trx, statement)).length > 0;
}

export async function recordScimTokenUse(db: Database, { team_id, id }: KnownScimToken): Promise<void> {
  await db
    .updateTable('scim_tokens')
    .set({ last_used_at: sql<Date>`now()` })
    .where('team_id', '=', team_id)
    .where('id', '=', id)
    .execute();
}
