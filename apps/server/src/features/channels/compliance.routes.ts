import {
  endComplianceAccess,
  grantComplianceAccess,
  listComplianceAccess,
  listTeamComplianceAccess,
} from '@steward/contract/channels/compliance';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { endAccess, grantAccess } from './compliance.actions.ts';
import { findTeamChannel, listGrants } from './compliance.store.ts';

/** Compliance access lets a user read private and direct channels without being a member. */
export function complianceRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serve(app, listTeamComplianceAccess, access.teamOwner, async ({ who }) => ({
    records: await listGrants(deps.db, who.teamId),
  }));

  serve(app, listComplianceAccess, access.teamOwner, async ({ who, params }) => {
    const channel = (await findTeamChannel(deps.db, who.teamId, params.channelId)) ?? refuse('record.not_found');
    return { records: await listGrants(deps.db, who.teamId, channel.id) };
  });

  serveChange(feature, grantComplianceAccess, access.teamOwner, (trx, { who, params, body }) =>
    grantAccess(trx, { teamId: who.teamId, channelId: params.channelId, actorId: who.personId }, body),
  );

  serveChange(feature, endComplianceAccess, access.teamOwner, (trx, { who, params, query }) =>
    endAccess(trx, { teamId: who.teamId, channelId: params.channelId, actorId: who.personId }, query.user_id),
  );
}
