import type { Answer, Received } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/users/inactivity';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Authorize, Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import type { Service } from '#workspace/access/access.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { recordHeard } from '#workspace/users/activity-sources.store.ts';
import { lockMembers } from '#workspace/users/members.store.ts';
import { saveActiveNow, saveReportedActivity } from '#workspace/users/memberships.store.ts';
import { findWarning, takeWarning } from './warnings.store.ts';

/** A company can share one network. */
const BY_NETWORK = describeLimit({
  name: 'still_needed.address',
  counts: 'links of warnings about inactivity opened by a network',
  attempts: 600,
  seconds: 3600,
});

/** Says what a link is about. Uses nothing up, since mail scanners open links. */
export async function checkLink(
  deps: Deps,
  token: string,
  { address }: Origin,
): Promise<Answer<typeof endpoints.checkStillNeeded>> {
  await requireWithin(deps, address);
  const { team_name, days } = (await findWarning(deps.db, token)) ?? refuse('inactivity.link_ended');
  return { team_name, days };
}

/** Counts as activity, once. */
export async function confirmByLink(deps: Deps, token: string, origin: Origin): Promise<void> {
  await requireWithin(deps, origin.address);
  await inTransaction(deps.db, async (trx) => {
    const { team_id: teamId, person_id: userId } = (await findWarning(trx, token)) ?? refuse('inactivity.link_ended');
    // The nightly job locks the member too: either it sees this activity, or the link has ended.
    await lockMembers(trx, teamId, [userId]);
    const isOpen = (await findWarning(trx, token)) !== undefined && (await takeWarning(trx, { teamId, userId }));
    if (!isOpen) refuse('inactivity.link_ended');
    await saveActiveNow(trx, teamId, userId);
    const event = { teamId, actorId: userId, target: userId, origin };
    await addAuditEvent(trx, deps, { action: 'users.still_needed', ...event });
  });
}

async function requireWithin({ throttle }: Deps, address: string): Promise<void> {
  const network = getNetwork(address);
  if (!(await throttle.allows(BY_NETWORK, network)))
    refuse('rate.limited', undefined, await throttle.secondsLeft(BY_NETWORK, network));
}

/** The transaction checks the token again, which an owner may have stopped since. */
export async function report(
  deps: Deps,
  authorize: Authorize<Service>,
  { activity }: Received<typeof endpoints.reportActivity>['body'],
): Promise<Answer<typeof endpoints.reportActivity>> {
  const rows = activity.map(({ user_id = '', email = '', active_at }) => ({ user_id, email, active_at }));
  return inAuthorizedTransaction({ db: deps.db, authorize }, async (trx, { teamId, speaksForUsers }) => {
    if (!speaksForUsers) refuse('token.cannot_report');
    await recordHeard(trx, teamId, 'reports');
    return rows.length === 0 ? { known: 0, unknown: 0 } : saveReportedActivity(trx, teamId, rows);
  });
}
