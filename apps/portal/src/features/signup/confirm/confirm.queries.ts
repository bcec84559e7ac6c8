import type { Answer } from '@steward/contract/api/endpoint';
import { checkSignUp, finishSignUp } from '@steward/contract/signup';
import { queryOptions } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { clearEmailedToken } from '#workspace/session/emailed-token.ts';
import { refreshTeams } from '#workspace/session/session.ts';
import { storedDraft, storedSignUpEnd } from '../wizard/stored-draft.ts';

/** Where a link leads, and whom it is for. */
export type CheckedLink = Answer<typeof checkSignUp>;

/** Looks where a link leads: once for each loading of the page, and again only when somebody asks. */
export function signUpCheckQueryOptions(token: string) {
  return queryOptions({
    queryKey: [checkSignUp.name, token],
    // Not ended with the screen: one that is drawn twice, as while it is being worked on, would ask twice.
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
    if (checked.mode === '1') {
      forgetLink();
      // Whoever is signed in here may have one team more now.
      await refreshTeams().catch(() => undefined);
    }
    return checked;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.status_code === 400) clearEmailedToken('signup');
    throw thrown;
  }
}

/** Makes the account; what was typed is not remembered. */
export const finishSignUpMutation = { ...mutationOptionsFor(finishSignUp), gcTime: 0 };

/** The link was used: it is kept no longer, nor are the answers that it came from. */
export function forgetLink(): void {
  clearEmailedToken('signup');
  storedDraft.clear();
}
