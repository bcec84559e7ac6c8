import { INVITATION_HOURS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

export type LinkKind = 'reset' | 'invite';

/** How long a link can be used, in minutes (trust G9). */
const MINUTES: Record<LinkKind, number> = { reset: 60, invite: INVITATION_HOURS * 60 };

/** Whom a link is for; the team is the one that invited. */
export interface LinkRow {
  person_id: string;
  team_id: string | null;
}

/**
 * Makes a one-time link and answers its token. A newer reset link ends the older ones; older invitations stay. Links of one
 * person are made and used one after another: of two resets asked for at once the second must see the first.
 */
export async function addLink(
  trx: Trx,
  link: { kind: LinkKind; personId: string; teamId: string | null },
): Promise<string> {
  await lockPerson(trx, link.personId);
  if (link.kind === 'reset') await removePersonLinks(trx, link.personId, { kind: 'reset' });
  const token = newToken();
  await sql`insert into links (token_hash, kind, person_id, team_id, expires_at)
    values (${hashToken(token)}, ${link.kind}, ${link.personId}, ${link.teamId},
      now() + make_interval(mins => ${MINUTES[link.kind]}))`.execute(trx);
  return token;
}

/** When a link expires, in milliseconds. */
export async function getLinkEnd(trx: Trx, token: string): Promise<number> {
  const { rows } = await sql<{ ends: number }>`
    select ${toMilliseconds(sql`expires_at`)} as ends from links where token_hash = ${hashToken(token)}`.execute(trx);
  if (rows[0] === undefined) throw new Error('The link does not exist.');
  return rows[0].ends;
}

/** Uses a link up. Of many at once one gets the row; unknown, used and expired are the same `undefined`. */
export async function consumeLink(trx: Trx, kind: LinkKind, token: string): Promise<LinkRow | undefined> {
  const found = await findLink(trx, kind, token);
  if (!found) return undefined;
  await lockPerson(trx, found.person_id);
  const { rows } = await sql<LinkRow>`delete from links
    where token_hash = ${hashToken(token)} and expires_at > now()
    returning person_id, team_id`.execute(trx);
  return rows[0];
}

/** Whom the link is for, if it can still be used; consumes nothing. */
export async function findLink(
  db: Database | Trx,
  kind: LinkKind,
  token: string,
): Promise<(LinkRow & { is_checked: boolean }) | undefined> {
  const { rows } = await sql<LinkRow & { is_checked: boolean }>`
    select person_id, team_id, checked_at is not null as is_checked from links
    where token_hash = ${hashToken(token)} and kind = ${kind} and expires_at > now()`.execute(db);
  return rows[0];
}

/** Notes that somebody has looked where the link leads; the first time counts. */
export async function markLinkChecked(trx: Trx, token: string): Promise<void> {
  await sql`update links set checked_at = now()
    where token_hash = ${hashToken(token)} and checked_at is null`.execute(trx);
}

/** Ends links of a person: all, those of one kind, or those by which one team invited. */
export async function removePersonLinks(
  trx: Trx,
  personId: string,
  only: { kind?: LinkKind; teamId?: string } = {},
): Promise<number> {
  let query = trx.deleteFrom('links').where('person_id', '=', personId);
  if (only.kind) query = query.where('kind', '=', only.kind);
  if (only.teamId !== undefined) query = query.where('team_id', '=', only.teamId);
  const result = await query.executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Ends the links of everybody and answers how many there were. */
export async function removeAllLinks(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('links').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Until when the newest invitation of a person to a team works, in milliseconds; undefined where there is none. */
export async function findInvitationEnd(
  db: Database | Trx,
  teamId: string,
  personId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ ends: number }>`select ${toMilliseconds(sql`max(expires_at)`)} as ends from links
    where person_id = ${personId} and kind = 'invite' and team_id = ${teamId} having count(*) > 0`.execute(db);
  return rows[0]?.ends;
}

/** Removes links that can no longer be used; those of invitations a month later, since screens say that they are over. */
export async function removeExpiredLinks(db: Database): Promise<void> {
  await sql`delete from links
    where expires_at < now() - case kind when 'invite' then interval '30 days' else interval '0' end`.execute(db);
}

/** The person's row is what everybody who touches their links waits for first, so that nobody waits in a circle. */
async function lockPerson(trx: Trx, personId: string): Promise<void> {
  await sql`select 1 from people where id = ${personId} for no key update`.execute(trx);
}
