// Service tokens: an admin creates and removes the tokens that services import content with.
// Owns no table: service_tokens is written by workspace/tokens/tokens.store.ts.
import { addToken, listTokens, removeToken } from '@steward/contract/tokens';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { listServiceTokens } from '#workspace/tokens/tokens.store.ts';
import { createApiToken, revokeToken } from './tokens.actions.ts';

export function tokensRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const room = { app, deps };

  serve(app, listTokens, access.teamAdmin, async ({ params }) => ({
    records: await listServiceTokens(deps.db, params.teamId),
  }));

  serveChange(room, addToken, access.teamAdmin, (trx, { params, body, who }) =>
    createApiToken(trx, deps, { teamId: params.teamId, actorId: who.personId, name: body.name }),
  );

  serveChange(room, removeToken, access.teamAdmin, (trx, { params, who }) =>
    revokeToken(trx, { teamId: params.teamId, actorId: who.personId }, params.tokenId),
  );
}
