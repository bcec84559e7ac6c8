// What somebody without an account does here: asks for a team, and finishes a sign-up or an invitation by its mailed link.
// Owns the table signups; invitations are links, which #workspace keeps. Nothing here signs anybody in.

import { checkSignUp, finishSignUp, signUp } from '@steward/contract/signup';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { checkLink } from './check-sign-up.actions.ts';
import { finishLink } from './finish-sign-up.actions.ts';
import { requestSignUp } from './sign-up.actions.ts';

const DONE = { status_code: 200 } as const;

/** Serves the calls of the signup room. */
export function signupRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, signUp, access.anyone, async ({ body, origin }) => {
    await requestSignUp(deps, body, origin);
    return DONE;
  });

  serve(app, checkSignUp, access.anyone, ({ body, origin }) => checkLink(deps, body.token, origin));

  serve(app, finishSignUp, access.anyone, async ({ body, origin }) => {
    await finishLink(deps, body, origin);
    return DONE;
  });
}
