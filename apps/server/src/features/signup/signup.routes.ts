// Sign-up: people without an account sign up a team, and finish a sign-up or accept an invitation with the emailed link.
// Owns the table signups; invitations are links of #workspace. Nothing here signs anyone in.

import { checkSignUp, finishSignUp, signUp } from '@steward/contract/signup';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import * as check from './check-sign-up.actions.ts';
import * as finish from './finish-sign-up.actions.ts';
import * as start from './sign-up.actions.ts';

const DONE = { status_code: 200 } as const;

/** Registers the endpoints of sign-up. */
export function signupRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, signUp, access.anyone, async ({ body, origin }) => {
    await start.signUp(deps, body, origin);
    return DONE;
  });

  serve(app, checkSignUp, access.anyone, ({ body, origin }) => check.checkSignUp(deps, body.token, origin));

  serve(app, finishSignUp, access.anyone, async ({ body, origin }) => {
    await finish.finishSignUp(deps, body, origin);
    return DONE;
  });
}
