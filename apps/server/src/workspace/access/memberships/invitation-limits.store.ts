import { INVITATIONS_PER_ADDRESS, INVITATIONS_PER_NEW_TEAM, INVITATIONS_PER_TEAM } from '@steward/contract/api/limits';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Secrets } from '#platform/security/secrets.ts';

const PURPOSE = 'invitation-limit';

/** A team younger than this has the lower limit. */
const NEW_TEAM_MS = 7 * 24 * 3_600_000;

function perTeam({ create_at }: { create_at: number }): number {
  return Date.now() - create_at < NEW_TEAM_MS ? INVITATIONS_PER_NEW_TEAM : INVITATIONS_PER_TEAM;
}

/**
 * Counts invitation emails of a team, within 24 hours of the first, and returns the addresses that may be emailed. The
 * limits are per address over all teams, and per team, if one is given, which keeps its first addresses. The rows are locked until the
 * commit, so that concurrent calls can't exceed a limit. Addresses are stored as keyed hashes, so that the count
 * outlives the invitation without keeping the address.
 */
export async function countInvitations(
  trx: Trx,
  secrets: Secrets,
  { team, emails }: { team: { id: string; create_at: number } | undefined; emails: readonly string[] },
): Promise<ReadonlySet<string>> {
  // The team first: a team at its limit can't use up what others may send to an address.
  const within = team
    ? emails.slice(0, await countSome(trx, `team:${team.id}`, { wanted: emails.length, limit: perTeam(team) }))
    : emails;
  const byKey = new Map(within.map((email) => [secrets.sign(PURPOSE, email), email]));
  // Sorted, so that calls of several teams for the same addresses wait for one another in one order.
  const { rows } = await sql<{ key: string }>`
    insert into invitation_counts as c (key, since, sent)
    select key, now(), 1 from unnest(${[...byKey.keys()].sort()}::text[]) with ordinality as k (key, nth) order by nth
    on conflict (key) do update set
      sent = case when c.since < now() - interval '1 day' then 1 else c.sent + 1 end,
      since = case when c.since < now() - interval '1 day' then now() else c.since end
    where c.sent < ${INVITATIONS_PER_ADDRESS} or c.since < now() - interval '1 day' returning key`.execute(trx);
  return new Set(rows.map(({ key }) => byKey.get(key) ?? ''));
}

/** Counts up to `wanted` and returns the number within the limit. */
async function countSome(trx: Trx, key: string, { wanted, limit }: { wanted: number; limit: number }): Promise<number> {
  await sql`insert into invitation_counts (key, since, sent) values (${key}, now(), 0) on conflict do nothing`.execute(
    trx,
  );
  const { rows } = await sql<{ granted: number }>`
    with c as (
      select key, since < now() - interval '1 day' as is_old, sent from invitation_counts where key = ${key} for update
    ), g as (
      select key, is_old, least(${wanted}::int, greatest(${limit}::int - case when is_old then 0 else sent end, 0)) as granted from c
    )
    update invitation_counts i set sent = case when g.is_old then 0 else i.sent end + g.granted,
      since = case when g.is_old then now() else i.since end
    from g where i.key = g.key returning g.granted`.execute(trx);
  return rows[0]?.granted ?? 0;
}

export async function removeOldInvitationCounts(db: Database): Promise<void> {
  await db.deleteFrom('invitation_counts').where('since', '<', sql<Date>`now() - interval '1 day'`).execute();
}
