import type { Answer } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { markLinkChecked } from '#workspace/access/sessions/links.store.ts';
import { confirmSignUp, markSignUpChecked, type SignUpRow } from '#workspace/access/signups/signups.store.ts';
import { lockInvitation } from '#workspace/users/memberships.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { findNameInTeam } from '#workspace/users/users.store.ts';
import { getSignUpMode, openLink } from './sign-up-link.actions.ts';

type Check = Answer<typeof endpoints.checkSignUp>;

/** Says what a link leads to. Uses nothing up and creates nothing: mail scanners open links, and users reload pages. */
export async function checkSignUp(deps: Deps, token: string): Promise<Check> {
  return inTransaction(deps.db, async (trx) => {
    const link = await openLink(trx, deps, token);
    if (link.kind === 'signup') return checkRequest(trx, link.request);
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

/** An owner with an account has nothing left to enter: their next sign-in creates the team. */
async function checkRequest(trx: Trx, request: SignUpRow): Promise<Check> {
  const mode = await getSignUpMode(trx, request);
  if (mode === '2' && !request.is_checked) await markSignUpChecked(trx, request);
  const { owner_email: email, team_name } = request;
  const check = { mode, email, team_name, invited: false, first: '', last: '' };
  if (mode === '2' || request.team_id !== null) return check;
  const sign_in_until = request.confirmed_at !== 0 ? request.expires_at : await confirmSignUp(trx, request);
  return { ...check, sign_in_until, invitees: request.invitees.filter((invitee) => invitee !== email).length };
}
