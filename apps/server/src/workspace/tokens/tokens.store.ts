import type { Token } from '@steward/contract/tokens';
import { sql } from 'kysely';
import { type Database, prepared, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

/** Prefix by which people and secret scanners recognize a service token. */
const TOKEN_PREFIX = 'stw_';

const columns = sql`t.id, t.name, coalesce(t.created_by, '') as created_by, ${millisecondsIn('t.created_at')} as created_at,
  ${millisecondsIn('t.last_used_at')} as last_used_at,
  coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email, 'Operator') as created_by_name`;

/** Tokens of a team, newest first. */
export async function listServiceTokens(db: Database | Trx, teamId: string): Promise<Token[]> {
  const { rows } = await sql<Token>`select ${columns} from service_tokens t left join people p on p.id = t.created_by
    where t.team_id = ${teamId} order by t.id desc`.execute(db);
  return rows;
}

/** Locks the team's tokens until the transaction ends and returns their number. */
export async function countServiceTokens(trx: Trx, teamId: string): Promise<number> {
  await sql`select 1 from teams where id = ${teamId} for update`.execute(trx);
  const { rows } = await sql<{ count: number }>`select count(*) as count from service_tokens
    where team_id = ${teamId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Creates a token. Only its hash is stored; `createdBy` is null for the operator. */
export async function addServiceToken(
  trx: Trx,
  made: { teamId: string; name: string; createdBy: string | null },
): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), TOKEN_PREFIX + newToken()];
  await sql`insert into service_tokens (team_id, id, name, token_hash, created_by)
    values (${made.teamId}, ${id}, ${made.name}, ${hashToken(token)}, ${made.createdBy})`.execute(trx);
  return { id, token };
}

/** Removes a token and returns its name; undefined if the team has no such token. */
export async function removeServiceToken(trx: Trx, teamId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`delete from service_tokens where team_id = ${teamId} and id = ${id}
    returning name`.execute(trx);
  return rows[0]?.name;
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
  await sql`update service_tokens set last_used_at = now() where team_id = ${team_id} and id = ${id}`.execute(db);
}

/** Whether the token is still active: removing it also stops a running import. */
export async function isActiveToken(trx: Trx, teamId: string, id: string): Promise<boolean> {
  const { rows } = await sql`${prepared}
    select 1 from service_tokens where team_id = ${teamId} and id = ${id}`.execute(trx);
  return rows.length > 0;
}
