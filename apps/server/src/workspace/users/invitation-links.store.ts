import { createHmac } from 'node:crypto';
import type { InvitationLinkState } from '@steward/contract/users/invitation-links';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { hashToken, newToken, type Secrets } from '#platform/security/secrets.ts';
import { isActive } from './active-members.store.ts';
import { isActiveManager } from './managers.store.ts';

/** Days for which links are listed and kept after their end. */
const KEPT_DAYS = 30;

/** The state of `invitation_links l`. The creator's role is read each time, so that it counts when a link is used. */
export const linkState = sql<InvitationLinkState>`case when l.revoked_at is not null then 'revoked'
  when l.expires_at <= now() then 'expired' when l.uses >= l.max_uses then 'used_up'
  when exists (select from memberships m where m.team_id = l.team_id and m.person_id = l.created_by
    and ${isActiveManager}) then 'open'
  else 'stopped' end`;

/** Part of a statement: true for an invitation of `memberships m` before the end of its last day, if its link is open or it needs none. */
export const isInvitationOpen = sql<boolean>`(${isActive()} and (m.invitation_link_id is null or exists (
  select from invitation_links l where l.team_id = m.team_id and l.id = m.invitation_link_id and ${linkState} = 'open')))`;

/** Part of a statement: true for `memberships m` if it is an invitation by a link that has ended for good. */
export const isOfEndedLink = sql<boolean>`m.email is not null and exists (select from invitation_links l
  where l.team_id = m.team_id and l.id = m.invitation_link_id and ${linkState} in ('revoked', 'expired', 'used_up'))`;

/** Part of a statement: true for `invitation_links l` that ended long ago. */
export const isOldLink = sql<boolean>`least(l.expires_at, l.revoked_at) < now() - make_interval(days => ${KEPT_DAYS})`;

/** The caller has locked the team. */
export async function countOpenInvitationLinks(trx: Trx, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from invitation_links l
    where l.team_id = ${teamId} and ${linkState} in ('open', 'stopped')`.execute(trx);
  return rows[0]?.count ?? 0;
}

export interface NewInvitationLink {
  teamId: string;
  createdBy: string;
  name: string;
  hours: number;
  maxUses: number;
  domains: readonly string[];
  /** The end date of those who join, and its instant in milliseconds. */
  membersEnd?: { date: string; at: number } | undefined;
}

/** Only the hash of the token is stored. */
export async function addInvitationLink(trx: Trx, added: NewInvitationLink): Promise<{ id: string; token: string }> {
  const [id, token] = [newId(), newToken()];
  const { membersEnd } = added;
  await trx
    .insertInto('invitation_links')
    .values({
      team_id: added.teamId,
      id,
      name: added.name,
      token_hash: hashToken(token),
      created_by: added.createdBy,
      expires_at: sql<Date>`least(now() + make_interval(hours => ${added.hours}), to_timestamp(${membersEnd?.at ?? null}::bigint / 1000.0))`,
      max_uses: added.maxUses,
      domains: sql<string[]>`${[...added.domains]}`,
      members_end_on: membersEnd?.date ?? null,
    })
    .execute();
  return { id, token };
}

/** Returns name and uses; undefined if the team has no such link, or it was revoked before. */
export async function saveRevoked(
  trx: Trx,
  teamId: string,
  id: string,
): Promise<{ name: string; uses: number } | undefined> {
  return trx
    .updateTable('invitation_links')
    .set({ revoked_at: sql<Date>`now()` })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(['name', 'uses'])
    .executeTakeFirst();
}

export interface OpenInvitationLink {
  team_id: string;
  id: string;
  created_by: string;
  /** True if the creator is an owner now. */
  is_of_owner: boolean;
  domains: string[];
  members_end_on: string | null;
}

export async function findOpenInvitationLink(
  db: Database | Trx,
  by: { token: string } | { teamId: string; id: string },
): Promise<OpenInvitationLink | undefined> {
  const matches =
    'token' in by ? sql`l.token_hash = ${hashToken(by.token)}` : sql`l.team_id = ${by.teamId} and l.id = ${by.id}`;
  const { rows } =
    await sql<OpenInvitationLink>`select l.team_id, l.id, l.created_by, l.domains, l.members_end_on::text as members_end_on,
      exists (select from memberships m where m.team_id = l.team_id and m.person_id = l.created_by
        and 'team_owner' = any(m.roles)) as is_of_owner
    from invitation_links l where ${matches} and ${linkState} = 'open'`.execute(db);
  return rows[0];
}

/** True if the link is open. It stays locked until the transaction ends, so that one more use can be counted. */
export async function lockOpenInvitationLink(trx: Trx, teamId: string, id: string): Promise<boolean> {
  await sql`select 1 from invitation_links where team_id = ${teamId} and id = ${id} for no key update`.execute(trx);
  // A statement of its own: it sees what was committed while the lock was awaited.
  return (await findOpenInvitationLink(trx, { teamId, id })) !== undefined;
}

/** The caller has locked the open link. */
export async function countInvitationLinkUse(trx: Trx, teamId: string, id: string): Promise<void> {
  await trx
    .updateTable('invitation_links')
    .set({ uses: sql<number>`uses + 1` })
    .where('team_id', '=', teamId)
    .where('id', '=', id)
    .execute();
}

/** Links that ended long ago, except those by which a member joined. */
export async function removeOldInvitationLinks(db: Database): Promise<void> {
  await sql`delete from invitation_links l where ${isOldLink}
    and not exists (select from memberships m where m.team_id = l.team_id and m.invitation_link_id = l.id)`.execute(db);
}

/**
 * Ends all links of a restored workspace, in every version of the schema: those that were revoked after the backup must
 * not work again.
 */
export const END_ALL_INVITATION_LINKS = `do $$ begin
  if to_regclass('invitation_links') is not null then
    update invitation_links set revoked_at = now() where revoked_at is null;
  end if;
end $$`;

export async function endAllInvitationLinks(trx: Trx): Promise<void> {
  await sql.raw(END_ALL_INVITATION_LINKS).execute(trx);
}

const BARRED = 'barred-address';

/** Lets no invitation link of the team admit an address anymore. Only a keyed hash of the address is stored. */
export async function barAddress(
  trx: Trx,
  secrets: Secrets,
  { teamId, email }: { teamId: string; email: string },
): Promise<void> {
  const row = { team_id: teamId, address_hash: secrets.sign(BARRED, email) };
  await trx
    .insertInto('barred_addresses')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** During a key rotation, an address may be stored with the previous key. */
function hashAddress(secrets: Secrets, email: string): string[] {
  return secrets
    .exportKeys(BARRED)
    .map((key) => createHmac('sha256', key).update(email).digest().subarray(0, 16).toString('base64url'));
}

/**
 * True for someone who was in the team before, was erased or declined an invitation, or whom the identity provider keeps
 * inactive: an admin has to add them with Add User. The caller has checked that the account isn't a member.
 */
export async function isBarred(
  trx: Trx,
  secrets: Secrets,
  { teamId, userId, email }: { teamId: string; userId: string | undefined; email: string },
): Promise<boolean> {
  const { rows } = await sql`select 1 where
    exists (select from former_members where team_id = ${teamId} and (email = ${email} or person_id = ${userId ?? ''}))
    or exists (select from erasures where team_id = ${teamId} and person_id = ${userId ?? ''})
    or exists (select from barred_addresses where team_id = ${teamId}
      and address_hash = any(${hashAddress(secrets, email)}))
    or exists (select from scim_users where team_id = ${teamId} and person_id is null
      and (addresses @> array[${email}]::text[] or lower(user_name) = ${email}))`.execute(trx);
  return rows.length > 0;
}
