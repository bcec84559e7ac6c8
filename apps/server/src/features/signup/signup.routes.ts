// Sign-up: people without an account sign up a team, and finish a sign-up or accept an invitation with the emailed link;
// people with an invitation link ask to be invited; the operator sets up the first team with the printed link. Owns the table
// set_up_links; sign-ups, invitations and invitation links are in #workspace. Nothing here signs anyone in.

import { checkSignUp, finishSignUp, setUp, signUp } from '@steward/contract/signup';
import { askToJoin, checkInvitationLink } from '@steward/contract/users/invitation-links';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import * as finish from './finish-sign-up.actions.ts';
import * as links from './join-by-link.actions.ts';
import * as first from './set-up.actions.ts';
import * as start from './sign-up.actions.ts';
import { requireOpen } from './sign-up-access.policy.ts';

const DONE = { status_code: 200 } as const;

/** Registers the endpoints of sign-up. */
export function signupRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const whileOpen = async () => requireOpen(deps.env.signUp);
  serve(app, signUp, whileOpen, async ({ body, origin }) => {
    await start.signUp(deps, body, origin);
    return DONE;
  });

  serve(app, checkSignUp, access.anyone, ({ body }) => finish.checkSignUp(deps, body.token));

  serve(app, finishSignUp, access.anyone, async ({ body, origin }) => {
    await finish.finishSignUp(deps, body, origin);
    return DONE;
  });

  serve(app, checkInvitationLink, access.anyone, ({ body }) => links.checkLink(deps, body.token));

  serve(app, askToJoin, access.anyone, async ({ body, origin }) => {
    await links.askToJoin(deps, body, origin);
    return DONE;
  });

  serve(app, setUp, access.anyone, async ({ body, origin }) => {
    await first.setUp(deps, body, origin);
    return DONE;
  });
}
