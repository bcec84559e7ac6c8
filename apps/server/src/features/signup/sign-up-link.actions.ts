import type { SignUpMode } from '@steward/contract/signup';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Account, findAccount } from '#workspace/access/accounts.store.ts';
import { findLink } from '#workspace/access/sessions/links.store.ts';
import { lockSignUp, type SignUpRow } from '#workspace/access/signups/signups.store.ts';
import { findMember, lockInvitation, type MemberRow } from '#workspace/users/memberships.store.ts';
import { requireAdmitted } from './sign-up-access.policy.ts';

/** The row of a link of the confirm screen, locked until the transaction ends. */
export type EmailedLink =
  | { kind: 'signup'; request: SignUpRow }
  | {
      kind: 'invitation';
      teamId: string;
      invitee: MemberRow;
      /** The account of the address; its owner signs in and accepts there. */
      account: Account | undefined;
      isChecked: boolean;
    };

/**
 * Looks up a link. Every kind of bad link gets the same refusal, so that nothing can be learned from it. A sign-up that has no
 * team yet gets none after the operator has closed sign-up.
 */
export async function openLink(trx: Trx, { env }: Pick<Deps, 'env'>, token: string): Promise<EmailedLink> {
  const request = await lockSignUp(trx, token);
  if (request) {
    if (request.team_id === null) requireAdmitted(env.signUp, request.owner_email);
    return { kind: 'signup', request };
  }
  const link = await findLink(trx, 'invite', token);
  if (!link?.team_id) refuse('signup.link_invalid');
  const invitee = await findMember(trx, link.team_id, link.person_id);
  if (invitee?.state !== 'invited') refuse('signup.link_invalid');
  if (!(await lockInvitation(trx, link.team_id, invitee.email))) refuse('signup.link_invalid');
  const account = await findAccount(trx, invitee.email);
  if (account?.is_integration) refuse('signup.link_invalid');
  return { kind: 'invitation', teamId: link.team_id, invitee, account, isChecked: link.is_checked };
}

/** The next step for this owner; refuses owners who may not have a team. */
export async function getSignUpMode(trx: Trx, { owner_email }: SignUpRow): Promise<SignUpMode> {
  const owner = await findAccount(trx, owner_email);
  if (owner?.is_integration) refuse('signup.link_invalid');
  return owner ? '1' : '2';
}
