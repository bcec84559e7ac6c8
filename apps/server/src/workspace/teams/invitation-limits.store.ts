import { INVITATIONS_PER_ADDRESS, INVITATIONS_PER_NEW_TEAM, INVITATIONS_PER_TEAM } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';

const PURPOSE = 'invitation-limit';

/** A team younger than this has the lower limit. */
const NEW_TEAM_MS = 7 * 24 * 3_600_000;

/**
 * Counts one invitation email, and whether it may be sent: the limits are per address over all teams, and per team. Addresses
 * are stored as keyed hashes, so that the count outlives the invitation without keeping the address.
 */
export async function countInvitation(
  trx: Trx,
  secrets: Secrets,
  { team, email }: { team: { id: string; create_at: number }; email: string },
): Promise<boolean> {
  const isNew = Date.now() - team.create_at < NEW_TEAM_MS;
  const perTeam = isNew ? INVITATIONS_PER_NEW_TEAM : INVITATIONS_PER_TEAM;
  // The team first: a team at its limit can't use up what others may send to the address.
  if (!(await count(trx, `team:${team.id}`, perTeam))) return false;
  return count(trx, secrets.sign(PURPOSE, email), INVITATIONS_PER_ADDRESS);
}

/** Counts within 24 hours of the first; the row is locked until the commit, so that concurrent calls can't exceed the limit. */
async function count(trx: Trx, key: string, limit: number): Promise<boolean> {
  const { rows } = await sql<{ sent: number }>`
    insert into invitation_counts as c (key, since, sent) values (${key}, now(), 1)
    on conflict (key) do update set
      sent = case when c.since < now() - interval '1 day' then 1 else c.sent + 1 end,
      since = case when c.since < now() - interval '1 day' then now() else c.since end
    where c.sent < ${limit} or c.since < now() - interval '1 day' returning sent`.execute(trx);
  return rows.length === 1;
}

/** Removes counts that no limit needs anymore. */
export async function removeOldInvitationCounts(db: Database): Promise<void> {
  await db.deleteFrom('invitation_counts').where('since', '<', sql<Date>`now() - interval '1 day'`).execute();
}
