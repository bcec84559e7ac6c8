// Sign-in security: an owner decides whether the team requires a second factor, how long sessions last, which networks the
// team can be opened from, and which owners may enter without the single sign-on that it requires. Owns no table: workspace/access writes team_security and enforces it.

import { getSecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { changePolicy, readPolicy } from './security.actions.ts';

/** Registers the calls of sign-in security. */
export function securityRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getSecurityPolicy, access.teamOwner, ({ who }) => readPolicy(deps.db, deps, who));
  serveChange({ app, deps }, saveSecurityPolicy, recently(access.teamOwner), (trx, { who, body }) =>
    changePolicy(trx, deps, { who, policy: body }),
  );
}
