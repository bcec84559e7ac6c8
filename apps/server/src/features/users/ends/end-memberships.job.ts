import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { deactivateMember } from '#workspace/access/memberships/end-membership.actions.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { lockMembers, type MemberRow } from '#workspace/users/members.store.ts';
import { listEnded, listTeamsWithEnded, removeMembership } from '#workspace/users/memberships.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';

/**
 * Does every minute what deactivating does, for members whose last day is over. Their access has ended already: this ends their
 * sessions, links and tokens, and writes the audit log.
 */
const endMemberships = defineJob({
  name: 'users.end_memberships',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '* * * * *',
});

/** Members in one transaction, so that other calls don't wait long for its locks. */
const BATCH = 50;

export function createEndMembershipsWorker(deps: Deps) {
  return defineWorker(endMemberships, () => endDueMemberships(deps));
}

/** An error is logged and tried again in a minute, and doesn't delay other teams. */
export async function endDueMemberships(deps: Deps): Promise<void> {
  for (const teamId of await listTeamsWithEnded(deps.db))
    await endMembersOf(deps, teamId).catch((error) =>
      deps.log.error({ err: error, team: teamId }, 'users: could not end memberships'),
    );
}

async function endMembersOf(deps: Deps, teamId: string): Promise<void> {
  while (!deps.jobs.isStopping() && (await inTransaction(deps.db, (trx) => endNextMembers(trx, deps, teamId))));
}

/** Returns true if there may be more. */
async function endNextMembers(trx: Trx, deps: Deps, teamId: string): Promise<boolean> {
  // Whoever changes an end date holds the team.
  await lockTeam(trx, teamId);
  const ids = await listEnded(trx, teamId, BATCH);
  for (const member of await lockMembers(trx, teamId, ids)) await endMember(trx, deps, { teamId, member });
  return ids.length === BATCH;
}

async function endMember(
  trx: Trx,
  deps: Deps,
  { teamId, member }: { teamId: string; member: MemberRow },
): Promise<void> {
  const event = { teamId, actorId: null, target: member.id, origin: JOB_ORIGIN };
  if (member.state === 'invited') {
    await removeMembership(trx, teamId, member.id);
    return addAuditEvent(trx, deps, { ...event, action: 'users.invitation_cancelled' });
  }
  const { revoked: sessions, devices: before, links, tokens } = await deactivateMember(trx, deps, { teamId, member });
  const details = { ends_on: member.ends_on ?? '', sessions, links, tokens, before };
  await addAuditEvent(trx, deps, { ...event, action: 'users.ended', details });
}
