// The name and the time zone of a team, which its owners change. Owns no table: workspace/users writes teams.

import { getTeamSettings, previewTimeZone, saveTeamSettings } from '@steward/contract/team';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { compareZones, readSettings, saveSettings } from './team.actions.ts';

export function teamRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getTeamSettings, access.teamOwner, ({ who }) => readSettings(deps.db, who.teamId));
  serve(app, previewTimeZone, access.teamOwner, ({ who, query }) => compareZones(deps.db, who.teamId, query.time_zone));
  serveChange({ app, deps }, saveTeamSettings, access.teamOwner, (trx, { who, body }) =>
    saveSettings(trx, deps, { who, wanted: body }),
  );
}
