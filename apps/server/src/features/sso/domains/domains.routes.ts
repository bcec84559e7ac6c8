import { addDomain, listDomains, removeDomain, verifyDomain } from '@steward/contract/sso/domains';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { describeLimit } from '#platform/described-limits.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { NameResolver } from '#platform/outbound/resolver.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { addTeamDomain, removeTeamDomain, toDomain, verifyTeamDomain } from './domains.actions.ts';
import { listDomainRows } from './domains.store.ts';

/** Limits the DNS queries of one team. */
const LOOKUPS = describeLimit({
  name: 'sso.lookups',
  counts: 'looks for the DNS record of a domain, of a team',
  attempts: 60,
  seconds: 600,
});

interface Feature {
  app: FastifyInstance;
  deps: Deps;
  resolver: NameResolver;
}

export function domainRoutes(feature: Feature, access: Access): void {
  const { app, deps } = feature;

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
