// Single sign-on of teams with OpenID Connect: domains, the connection, the sign-in itself, and logouts by the provider.
// Owns sso_connections, sso_domains, sso_identities, sso_transactions and sso_logouts; workspace/sso reads the first three.
// Inner folders import one way: logout and signin → people; signin → connection → provider; domains stand alone.

import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { Access } from '#workspace/access/access.ts';
import { connectionRoutes } from './connection/connection.routes.ts';
import { domainRoutes } from './domains/domains.routes.ts';
import { logoutRoutes } from './logout/logout.routes.ts';
import { createProviders } from './provider/providers.client.ts';
import { signInRoutes } from './signin/sign-in.routes.ts';
import { identityRoutes } from './users/identities.routes.ts';

export function ssoRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const providers = createProviders(deps.env);
  domainRoutes({ app, deps, resolver: providers.resolver }, access);
  connectionRoutes({ app, deps, providers }, access);
  signInRoutes(app, { deps, providers }, access);
  logoutRoutes(app, deps, providers);
  identityRoutes(app, deps, access);
}
