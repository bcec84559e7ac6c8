import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database.ts';
import { hashToken, newToken } from '#platform/secrets.ts';

export type LinkKind = 'reset' | 'invite';

/** How long a link can be used, in minutes (trust G9). */
const MINUTES: Record<LinkKind, number> = { reset: 60, invite: 48 * 60 };

/**
 * Makes a one-time link and answers its token. A newer reset link ends the older ones; older invitations stay. Links of one
 * person are made and used one after another: of two resets asked for at once the second must see the first.
 */
export async function addLink(
  trx: Trx,
  link: { kind: LinkKind; personId: string; teamId: string | null },
): Promise<string> {
  await holdPerson(trx, link.personId);
  if (link.kind === 'reset') await removeLinksOf(trx, link.personId, 'reset');
  const token = newToken();
  await sql`insert into links (token_hash, kind, person_id, team_id, expires_at)
    values (${hashToken(token)}, ${link.kind}, ${link.personId}, ${link.teamId},
      now() + make_interval(mins => ${MINUTES[link.kind]}))`.execute(trx);
  return token;
}

/** Uses a link up. Of many at once one gets the row; unknown, used and expired are the same `undefined`. */
export async function useLink(trx: Trx, token: string): Promise<{ kind: LinkKind; person_id: string } | undefined> {
  const hash = hashToken(token);
  const found = await sql<{ person_id: string }>`select person_id from links where token_hash = ${hash}`.execute(trx);
  if (!found.rows[0]) return undefined;
  await holdPerson(trx, found.rows[0].person_id);
  const { rows } = await sql<{ kind: LinkKind; person_id: string }>`
    delete from links where token_hash = ${hash} and expires_at > now()
    returning kind, person_id`.execute(trx);
  return rows[0];
}

/** The person's row is what everybody who touches their links waits for first, so that nobody waits in a circle. */
async function holdPerson(trx: Trx, personId: string): Promise<void> {
  await sql`select 1 from people where id = ${personId} for no key update`.execute(trx);
}

/** Whether the link could still be used; consumes nothing. */
export async function hasLink(trx: Trx, token: string): Promise<boolean> {
  const { rows } = await sql`select 1 from links
    where token_hash = ${hashToken(token)} and expires_at > now()`.execute(trx);
  return rows.length > 0;
}

/** Ends links of a person: of one kind, or all. */
export async function removeLinksOf(trx: Trx, personId: string, kind?: LinkKind): Promise<number> {
  let query = trx.deleteFrom('links').where('person_id', '=', personId);
  if (kind) query = query.where('kind', '=', kind);
  const result = await query.executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Removes links that can no longer be used. */
export async function removeExpiredLinks(db: Database): Promise<void> {
  await sql`delete from links where expires_at < now()`.execute(db);
}
