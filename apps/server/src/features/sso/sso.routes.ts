// Single sign-on of teams with OpenID Connect: domains, the connection, the sign-in itself, and logouts by the provider.
// Owns sso_connections, sso_domains, sso_identities, sso_transactions and sso_logouts; workspace/sso reads the first three.
// Inner folders import one way: logout and signin → people; signin → connection → provider; domains stand alone.

import { linkOwnAccount, listOwnLinks, unlinkIdentity } from '@steward/contract/sso/identities';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { connectionRoutes } from './connection/connection.routes.ts';
import { domainRoutes } from './domains/domains.routes.ts';
import { logoutRoutes } from './logout/logout.routes.ts';
import { createProviders } from './provider/providers.client.ts';
import { signInRoutes } from './signin/sign-in.routes.ts';
import { beginLink, getOwnLinks, unlink } from './users/own-links.actions.ts';

export function ssoRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const providers = createProviders(deps.env);
  domainRoutes({ app, deps, resolver: providers.resolver }, access);
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
