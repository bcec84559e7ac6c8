// Owners create tokens for their identity provider and see its requests; the provider adds, changes, deactivates and removes
// users and groups with SCIM 2.0. Writes scim_tokens, scim_groups and scim_group_members; workspace/provisioning writes the
// received attributes of users and the log. Inner folders: protocol uses groups and users, groups uses users, both use patch
// and filters.

import { PAGE_ROWS } from '@steward/contract/api/limits';
import { addScimToken, listScimLog, listScimTokens, removeScimToken } from '@steward/contract/scim';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access } from '#workspace/access/access.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import {
  countLoggedCalls,
  countProvisioned,
  listLoggedCalls,
} from '#workspace/users/identity-providers/provisioning.store.ts';
import { protocolRoutes } from './protocol/protocol.routes.ts';
import { addToken, getBaseUrl, removeToken } from './tokens.actions.ts';
import * as tokens from './tokens.store.ts';

export function scimRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serve(app, listScimTokens, access.teamOwner, async ({ params: { teamId } }) => {
    const records = await tokens.listScimTokens(deps.db, teamId);
    const last_call_at = Math.max(0, ...records.map(({ last_used_at }) => last_used_at));
    const health = {
      last_call_at,
      ...(await countLoggedCalls(deps.db, teamId)),
      ...(await countProvisioned(deps.db, teamId)),
    };
    return { records, base_url: getBaseUrl(deps), health };
  });

  serveChange(feature, addScimToken, recently(access.teamOwner), (trx, { params, body, who }) =>
    addToken(trx, deps, { teamId: params.teamId, actorId: who.userId, name: body.name }),
  );

  serveChange(feature, removeScimToken, recently(access.teamOwner), (trx, { params, who }) =>
    removeToken(trx, { teamId: params.teamId, actorId: who.userId }, params.tokenId),
  );

  serve(app, listScimLog, access.teamOwner, async ({ params: { teamId }, query }) => {
    // Each row contains a whole request, so pages are smaller than those of other lists.
    const limit = Math.min(query.limit ?? PAGE_ROWS, PAGE_ROWS);
    const failed = query.failed === '1';
    const scope = { list: 'scim_log', teamId, filters: { failed } };
    const before = readCursor(deps.secrets, scope, query.last_key)?.[0];
    const rows = await listLoggedCalls(deps.db, teamId, { before, failed, limit: rowsToFetch(limit) });
    return getPage(rows, { limit, first: before === undefined, secrets: deps.secrets, scope, toKey: ({ id }) => [id] });
  });

  protocolRoutes(app, deps);
}
