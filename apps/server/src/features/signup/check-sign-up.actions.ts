import type { Answer } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { markLinkChecked } from '#workspace/access/sessions/links.store.ts';
import { lockInvitation } from '#workspace/people/memberships.store.ts';
import { findNameInTeam, findPersonName } from '#workspace/people/people.store.ts';
import { getTeamName } from '#workspace/people/teams.store.ts';
import { createTeam } from './create-team.actions.ts';
import { getSignUpMode, openLink } from './sign-up-link.actions.ts';
import { markSignUpChecked, type SignUpRow } from './signups.store.ts';

type Check = Answer<typeof endpoints.checkSignUp>;

/**
 * Says what a link leads to. Uses nothing up, because mail scanners open links and users reload pages. Only for an owner
 * with an account, who has nothing left to enter, opening the link creates the team.
 */
export async function checkSignUp(deps: Deps, token: string, origin: Origin): Promise<Check> {
  return inTransaction(deps.db, async (trx) => {
    const link = await openLink(trx, deps, token);
    if (link.kind === 'signup') return checkRequest(trx, deps, { request: link.request, origin });
    const { email, first_name: first, last_name: last } = link.invitee;
    const team_name = await getTeamName(trx, link.teamId);
    const invited = { invited: true, ...(await findInviter(trx, link.teamId, email)) };
    // The names that the team typed aren't shown to an account, which has its own.
    if (link.account) return { mode: '1', email, team_name, ...invited, first: '', last: '' };
    if (!link.isChecked) await markLinkChecked(trx, token);
    return { mode: '2', email, team_name, ...invited, first, last };
  });
}

async function findInviter(trx: Trx, teamId: string, email: string): Promise<{ invited_by?: { name: string } }> {
  const invitation = await lockInvitation(trx, teamId, email);
  const name = invitation?.invited_by ? await findNameInTeam(trx, teamId, invitation.invited_by) : '';
  return name === '' ? {} : { invited_by: { name } };
}

async function checkRequest(
  trx: Trx,
  deps: Deps,
  { request, origin }: { request: SignUpRow; origin: Origin },
): Promise<Check> {
  const mode = await getSignUpMode(trx, request);
  if (mode === '2' && !request.is_checked) await markSignUpChecked(trx, request);
  if (mode === '1' && request.team_id === null) await createTeamForKnownOwner(trx, deps, { request, origin });
  const { owner_email: email, team_name } = request;
  return { mode, email, team_name, invited: false, first: '', last: '' };
}

async function createTeamForKnownOwner(
  trx: Trx,
  deps: Deps,
  { request, origin }: { request: SignUpRow; origin: Origin },
): Promise<void> {
  const known = await findAccount(trx, request.owner_email);
  const owner = async (): Promise<string> => known?.id ?? refuse('signup.link_invalid');
  const ownerName = known ? await findPersonName(trx, known.id) : '';
  await createTeam(trx, deps, { request, owner, ownerName, isUsedUp: false, origin });
}
