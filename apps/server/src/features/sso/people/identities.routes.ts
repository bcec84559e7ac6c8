import { unlinkIdentity } from '@steward/contract/sso/identities';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { unlink } from './unlink.actions.ts';

/** Registers what owners do about the links of users. */
export function identityRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serveChange({ app, deps }, unlinkIdentity, recently(access.teamOwner), (trx, { params, who }) =>
    unlink(trx, { teamId: params.teamId, personId: params.userId, actorId: who.personId }),
  );
}
