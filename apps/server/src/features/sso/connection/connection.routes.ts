import { getSso, removeSso, saveSso, testSso } from '@steward/contract/sso/connection';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { checkProvider } from '../provider/check-provider.ts';
import type { Providers } from '../provider/providers.client.ts';
import { toClient } from './client-secret.ts';
import { readConnection } from './connection-answer.ts';
import { removeConnection, saveConnection } from './save-connection.actions.ts';

/** Limits the checks of one team, because each makes the server request URLs that an owner chose. */
const CHECKS = describeLimit({
  name: 'sso.checks',
  counts: 'checks of the identity provider of a team',
  attempts: 30,
  seconds: 600,
});

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  providers: Providers;
}

export function connectionRoutes({ app, deps, providers }: Feature, access: Access): void {
  const feature = { app, deps, mayEndOwnSession: true };

  serve(app, getSso, access.teamOwner, async ({ params }) => readConnection(deps.db, deps.env, params.teamId));

  serveChange(feature, saveSso, recently(access.teamOwner), (trx, { params, body, who }) =>
    saveConnection(trx, deps, { teamId: params.teamId, actorId: who.userId, settings: body }),
  );

  serveChange(feature, removeSso, recently(access.teamOwner), (trx, { params, who }) =>
    removeConnection(trx, deps, { teamId: params.teamId, actorId: who.userId }),
  );

  serve(app, testSso, access.teamOwner, async ({ params: { teamId } }) => {
    const connection = (await findConnection(deps.db, teamId)) ?? refuse('record.not_found');
    if (!(await deps.throttle.allows(CHECKS, teamId))) refuse('rate.limited');
    const allowsLoopback = deps.env.SSO_ALLOW_LOOPBACK;
    return {
      checks: await checkProvider(providers, toClient(deps.secrets, connection), { allowsLoopback, log: deps.log }),
    };
  });
}
