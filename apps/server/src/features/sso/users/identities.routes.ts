import { linkOwnAccount, listOwnLinks, unlinkIdentity } from '@steward/contract/sso/identities';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { beginLink, getOwnLinks, unlink } from './own-links.actions.ts';

/** Owners manage the links of all users; users manage their own. */
export function identityRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serveChange(
    { app, deps, mayEndOwnSession: true },
    unlinkIdentity,
    recently(access.teamOwner),
    (trx, { params, who }) => unlink(trx, deps, { teamId: params.teamId, userId: params.userId, actorId: who.userId }),
  );
  serve(app, listOwnLinks, access.credentials, ({ who }) => getOwnLinks(deps, who));
  serve(app, linkOwnAccount, recently(access.credentials), ({ who, params }) => beginLink(deps, who, params.teamId));
}
