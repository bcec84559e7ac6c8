import type { Answer } from '@steward/contract/api/endpoint';
import { checkSignUp, finishSignUp } from '@steward/contract/signup';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { formatMoment } from '#platform/time/format.ts';
import { clearEmailedToken } from '#workspace/session/emailed-token.ts';
import { storedDraft, storedSignUpEnd } from './stored-draft.ts';

export type CheckedLink = Answer<typeof checkSignUp>;

/** The link is checked once per page load, and again only on Retry. */
export function signUpCheckQueryOptions(token: string) {
  return queryOptions({
    queryKey: [checkSignUp.name, token],
    // The request isn't aborted on unmount: a screen that mounts twice, as in development, would check twice.
    queryFn: () => check(token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    networkMode: 'always',
  });
}

async function check(token: string) {
  storedSignUpEnd.clear();
  try {
    const checked = await call(checkSignUp, { body: { token } });
    if (checked.mode === '1') forgetLink();
    return checked;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status_code === 400) clearEmailedToken('signup');
    throw thrown;
  }
}

/** Tells an owner with an account what to do; undefined if the team exists already. */
export function describeNext({ email, team_name, sign_in_until, invitees = 0 }: CheckedLink): string | undefined {
  if (sign_in_until === undefined) return undefined;
  const inviting = invitees === 0 ? '' : ` and invite ${invitees === 1 ? '1 person' : `${invitees} people`}`;
  return (
    `To create the team ${team_name}${inviting}, sign in as ${email} with your password or a passkey ` +
    `by ${formatMoment(sign_in_until)}. Nothing is created before that.`
  );
}

/** The input isn't cached. */
export const finishSignUpMutation = { ...mutationOptionsFor(finishSignUp), gcTime: 0 };

/** The answers that the link was created from are removed too. */
export function forgetLink(): void {
  clearEmailedToken('signup');
  storedDraft.clear();
}
