// Service tokens: owners, and admins if owners allow it, create and remove the tokens that services import content with.
// Owns no table: service_tokens is written by workspace/tokens, the right of admins by workspace/teams.
import { addToken, getTokenPolicy, listTokens, removeToken, saveTokenPolicy } from '@steward/contract/tokens';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { listServiceTokens } from '#workspace/access/tokens.store.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { mayAdminsCreateTokens } from '#workspace/users/teams.store.ts';
import { changeTokenPolicy, createApiToken, revokeToken } from './tokens.actions.ts';

export function tokensRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serve(app, listTokens, access.teamAdmin, async ({ params, who }) => ({
    records: await listServiceTokens(deps.db, params.teamId),
    may_create: isOwnerOfTeam(who.roles) || (await mayAdminsCreateTokens(deps.db, params.teamId)),
  }));

  serveChange(feature, addToken, recently(access.teamAdmin), (trx, { body, who }) =>
    createApiToken(trx, deps, { who, form: body }),
  );

  serveChange(feature, removeToken, recently(access.teamAdmin), (trx, { params, who }) =>
    revokeToken(trx, who, params.tokenId),
  );

  serve(app, getTokenPolicy, access.teamOwner, async ({ params }) => ({
    admins_may_create: await mayAdminsCreateTokens(deps.db, params.teamId),
  }));

  serveChange(feature, saveTokenPolicy, recently(access.teamOwner), (trx, { params, body, who }) =>
    changeTokenPolicy(trx, { teamId: params.teamId, actorId: who.userId }, body),
  );
}
