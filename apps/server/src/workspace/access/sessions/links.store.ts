import { EMAIL_CHANGE_HOURS, INVITATION_HOURS } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';

export type LinkKind = 'reset' | 'invite' | 'email';

const NOW = sql<Date>`now()`;

/** Lifetime of a link, in minutes. */
const MINUTES: Record<LinkKind, number> = {
  reset: 60,
  invite: INVITATION_HOURS * 60,
  email: EMAIL_CHANGE_HOURS * 60,
};

export interface LinkRow {
  /** Id of the user, or of the invitation. */
  person_id: string;
  team_id: string | null;
  /** New address of an email change; null for other links. */
  email: string | null;
}

/**
 * Creates a one-time link and returns its token. A new link of an account removes older ones of its kind; older
 * invitations stay. The account is locked, so that the second of two concurrent calls removes the link of the first.
 */
export async function addLink(
  trx: Trx,
  link: { kind: LinkKind; userId: string; teamId: string | null; email?: string },
): Promise<string> {
  if (link.kind !== 'invite') {
    await lockUser(trx, link.userId);
    await markReplaced(trx, link.userId, link.kind);
  }
  const token = newToken();
  await trx
    .insertInto('links')
    .values({
      token_hash: hashToken(token),
      kind: link.kind,
      person_id: link.userId,
      team_id: link.teamId,
      email: link.email ?? null,
      expires_at: sql<Date>`now() + make_interval(mins => ${MINUTES[link.kind]})`,
    })
    .execute();
  return token;
}

/**
 * Returns the tokens in the order of the invitations, and the time when all of them expire: at the latest with the
 * invitation link that they are by.
 */
export async function addEmailedInvitations(
  trx: Trx,
  teamId: string,
  invitationIds: readonly string[],
): Promise<{ tokens: string[]; expiresAt: number }> {
  const tokens = invitationIds.map(() => newToken());
  const { rows } = await sql<{ ends: number }>`
    insert into links (token_hash, kind, person_id, team_id, expires_at)
    select n.hash, 'invite', n.id, ${teamId}, least(now() + make_interval(mins => ${MINUTES.invite}), i.expires_at)
    from unnest(${tokens.map(hashToken)}::text[], ${[...invitationIds]}::text[]) as n (hash, id)
      left join memberships m on m.team_id = ${teamId} and m.person_id = n.id
      left join invitation_links i on i.team_id = m.team_id and i.id = m.invitation_link_id
    returning ${toMilliseconds(sql.ref('expires_at'))} as ends`.execute(trx);
  return { tokens, expiresAt: rows[0]?.ends ?? 0 };
}

/** In milliseconds. */
export async function getLinkEnd(trx: Trx, token: string): Promise<number> {
  const { ends } = await trx
    .selectFrom('links')
    .select(millisecondsIn('expires_at').as('ends'))
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow();
  return ends;
}

/** Consumes a link: one of several concurrent calls gets its row. Undefined if it is unknown, used or expired. */
export async function consumeLink(trx: Trx, kind: LinkKind, token: string): Promise<LinkRow | undefined> {
  const found = await findLink(trx, kind, token);
  if (!found) return undefined;
  await lockUser(trx, found.person_id);
  // The link of an accepted invitation isn't kept, because the invitation isn't either.
  if (kind === 'invite')
    return trx
      .deleteFrom('links')
      .where('token_hash', '=', hashToken(token))
      .where('expires_at', '>', NOW)
      .returning(['person_id', 'team_id', 'email'])
      .executeTakeFirst();
  return trx
    .updateTable('links')
    .set({ ended: 'used' })
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', NOW)
    .where('ended', 'is', null)
    .returning(['person_id', 'team_id', 'email'])
    .executeTakeFirst();
}

async function markReplaced(trx: Trx, userId: string, kind: LinkKind): Promise<void> {
  await trx
    .updateTable('links')
    .set({ ended: 'replaced' })
    .where('person_id', '=', userId)
    .where('kind', '=', kind)
    .where('ended', 'is', null)
    .execute();
}

/** Tells why a link no longer works. Undefined for an unknown one, and for one that ended with something else. */
export async function findLinkEnd(
  db: Database | Trx,
  kind: LinkKind,
  token: string,
): Promise<'used' | 'replaced' | 'expired' | undefined> {
  const row = await db
    .selectFrom('links')
    .select(sql<'used' | 'replaced' | 'expired'>`coalesce(ended, 'expired')`.as('end'))
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('ended', 'is not', null), eb('expires_at', '<=', NOW)]))
    .executeTakeFirst();
  return row?.end;
}

/** Finds a link that can still be used, without consuming it. */
export async function findLink(
  db: Database | Trx,
  kind: LinkKind,
  token: string,
): Promise<(LinkRow & { is_checked: boolean }) | undefined> {
  return db
    .selectFrom('links')
    .select(['person_id', 'team_id', 'email', sql<boolean>`checked_at is not null`.as('is_checked')])
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', NOW)
    .where('ended', 'is', null)
    .executeTakeFirst();
}

export async function markLinkChecked(trx: Trx, token: string): Promise<void> {
  await trx
    .updateTable('links')
    .set({ checked_at: NOW })
    .where('token_hash', '=', hashToken(token))
    .where('checked_at', 'is', null)
    .execute();
}

/** Removes the links of a user, or of several, that haven't ended. Returns their number. */
export async function removeUserLinks(trx: Trx, userId: string | readonly string[]): Promise<number> {
  const result = await trx
    .deleteFrom('links')
    .where(sql<boolean>`person_id = any(${[userId].flat()})`)
    .where('ended', 'is', null)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function removeAllLinks(trx: Trx): Promise<number> {
  const { numDeletedRows } = await trx.deleteFrom('links').executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** The time when the newest invitation of an address to a team expires, in milliseconds. */
export async function findInvitationEnd(
  db: Database | Trx,
  teamId: string,
  userId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('links')
    .select(toMilliseconds(sql`max(expires_at)`).as('ends'))
    .where('person_id', '=', userId)
    .where('kind', '=', 'invite')
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  return row?.ends ?? undefined;
}

/** Removes links a week after they expired, because they say so until then; invitations after 30 days, since screens show it. */
export async function removeExpiredLinks(db: Database): Promise<void> {
  const removableSince = sql<Date>`now() - case kind when 'invite' then interval '30 days' else interval '7 days' end`;
  await db.deleteFrom('links').where('expires_at', '<', removableSince).execute();
}

/** Everything that changes the links of an account locks it first, so that no two transactions deadlock. */
async function lockUser(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('people').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
}
