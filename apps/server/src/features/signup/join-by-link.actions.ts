import type { Answer, Received } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/users/invitation-links';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { findOpenInvitationLink } from '#workspace/users/invitation-links.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { linkUsedJob, sealAddress } from './join-by-link.job.ts';

/** A full lecture hall can share one network. */
const BY_NETWORK = describeLimit({
  name: 'join.address',
  counts: 'addresses entered for invitation links by a network',
  attempts: 600,
  seconds: 3600,
});
const BY_LINK = describeLimit({
  name: 'join.link',
  counts: 'addresses entered for an invitation link',
  attempts: 1_000,
  seconds: 3600,
});

/** Says where a link leads. Uses nothing up, since mail scanners open links. */
export async function checkLink(deps: Deps, token: string): Promise<Answer<typeof endpoints.checkInvitationLink>> {
  const link = await findOpenInvitationLink(deps.db, { token });
  if (!link) refuse('join.link_ended');
  return { team_name: await getTeamName(deps.db, link.team_id), domains: link.domains };
}

/**
 * Queues the invitation of an address. A job looks up the address, so this call does the same work in the same time for every
 * address.
 */
export async function askToJoin(
  deps: Deps,
  { token, email }: Received<typeof endpoints.askToJoin>['body'],
  { address }: Origin,
): Promise<void> {
  await requireWithin(deps, BY_NETWORK, getNetwork(address));
  const link = await findOpenInvitationLink(deps.db, { token });
  if (!link) refuse('join.link_ended');
  await requireWithin(deps, BY_LINK, link.id);
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (link.domains.length > 0 && !link.domains.includes(domain)) refuse('join.domain');
  const payload = { team_id: link.team_id, link_id: link.id, ...sealAddress(deps.secrets, email) };
  await inTransaction(deps.db, (trx) => deps.jobs.send(trx, linkUsedJob, payload));
}

async function requireWithin({ throttle }: Deps, limit: typeof BY_LINK, key: string): Promise<void> {
  if (!(await throttle.allows(limit, key))) refuse('rate.limited', undefined, await throttle.secondsLeft(limit, key));
}
