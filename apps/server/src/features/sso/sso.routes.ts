// Single sign-on of teams with OpenID Connect: domains, the connection, the sign-in itself, and logouts by the provider.
// Owns sso_connections, sso_domains, sso_identities, sso_transactions and sso_logouts; workspace/users reads the first three.
// Inner folders import one way: logout and signin → users; signin → connection → provider; domains stand alone.

import { getSso, removeSso, saveSso, testSso } from '@steward/contract/sso/connection';
import { addDomain, listDomains, removeDomain, verifyDomain } from '@steward/contract/sso/domains';
import { linkOwnAccount, listOwnLinks, unlinkIdentity } from '@steward/contract/sso/identities';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { toClient } from './connection/client-secret.ts';
import { readConnection } from './connection/connection-answer.ts';
import { removeConnection, saveConnection } from './connection/save-connection.actions.ts';
import { addTeamDomain, removeTeamDomain, toDomain, verifyTeamDomain } from './domains/domains.actions.ts';
import { listDomainRows } from './domains/domains.store.ts';
import { logoutRoutes } from './logout/logout.routes.ts';
import { checkProvider } from './provider/check-provider.ts';
import { createProviders, type Providers } from './provider/providers.client.ts';
import { signInRoutes } from './signin/sign-in.routes.ts';
import { beginLink, getOwnLinks, unlink } from './users/own-links.actions.ts';

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  providers: Providers;
}

export function ssoRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const providers = createProviders(deps.env);
  domainRoutes({ app, deps, providers }, access);
  connectionRoutes({ app, deps, providers }, access);
  signInRoutes(app, { deps, providers }, access);
  logoutRoutes(app, deps, providers);
  identityRoutes(app, deps, access);
}

/** Owners manage the links of all users; users manage their own. */
function identityRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serveChange(
    { app, deps, mayEndOwnSession: true },
    unlinkIdentity,
    recently(access.teamOwner),
    (trx, { params, who }) => unlink(trx, deps, { teamId: params.teamId, userId: params.userId, actorId: who.userId }),
  );
  serve(app, listOwnLinks, access.credentials, ({ who }) => getOwnLinks(deps, who));
  serve(app, linkOwnAccount, recently(access.credentials), ({ who, params }) => beginLink(deps, who, params.teamId));
}

const LOOKUPS = describeLimit({
  name: 'sso.lookups',
  counts: 'lookups of DNS records by a team',
  attempts: 60,
  seconds: 600,
});

function domainRoutes({ app, deps, providers }: Feature, access: Access): void {
  const feature = { app, deps, resolver: providers.resolver };

  serve(app, listDomains, access.teamOwner, async ({ params }) => ({
    records: (await listDomainRows(deps.db, params.teamId)).map(toDomain),
  }));

  serveChange(feature, addDomain, recently(access.teamOwner), (trx, { params, body, who }) =>
    addTeamDomain(trx, { teamId: params.teamId, actorId: who.userId }, body.domain),
  );

  serve(app, verifyDomain, recently(access.teamOwner), async ({ params, who, authorize, origin }) => {
    const { teamId, domainId } = params;
    if (!(await deps.throttle.allows(LOOKUPS, teamId))) refuse('rate.limited');
    return verifyTeamDomain(feature, { teamId, actorId: who.userId }, { domainId, authorize, origin });
  });

  serveChange(feature, removeDomain, recently(access.teamOwner), (trx, { params, who }) =>
    removeTeamDomain(trx, { teamId: params.teamId, actorId: who.userId }, params.domainId),
  );
}

/** Limits the checks of one team, because each makes the server request URLs that an owner chose. */
const CHECKS = describeLimit({
  name: 'sso.checks',
  counts: 'checks of the identity provider of a team',
  attempts: 30,
  seconds: 600,
});

function connectionRoutes({ app, deps, providers }: Feature, access: Access): void {
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
