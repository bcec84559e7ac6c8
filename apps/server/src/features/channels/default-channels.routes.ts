import { CHANNELS_PER_PAGE } from '@steward/contract/api/limits';
import {
  getChannelJoin,
  getDefaultChannels,
  listTeamChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findLastJoin } from './channel-joins.store.ts';
import { countPendingMembers, resolveChannels, updateDefaultChannels } from './default-channels.actions.ts';
import { listChannels, listDefaultChannels } from './default-channels.store.ts';

export function defaultChannelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, listTeamChannels, access.teamAdmin, ({ who, query }) => {
    const limit = query.per_page ?? CHANNELS_PER_PAGE;
    const search = (query.search ?? '').trim().normalize('NFC');
    return listChannels(deps.db, { ...who, search, type: query.type, offset: (query.page ?? 0) * limit, limit });
  });

  serve(app, getDefaultChannels, access.teamAdmin, async ({ who }) => ({
    default_channels: await listDefaultChannels(deps.db, who.teamId),
  }));

  serve(app, previewDefaultChannels, access.teamAdmin, async ({ who, body }) => {
    const choices = await resolveChannels(deps.db, { ...who, ids: body.default_channels });
    const count = () => countPendingMembers(deps.slowQueryPool, who.teamId, choices);
    return deps.countQueue.run({ key: who.teamId, person: who.personId }, count);
  });

  serve(app, getChannelJoin, access.teamAdmin, async ({ who }) => ({ join: await findLastJoin(deps.db, who.teamId) }));

  serveChange({ app, deps }, saveDefaultChannels, access.teamAdmin, (trx, { who, body }) =>
    updateDefaultChannels(trx, deps, { ...who, ids: body.default_channels, addExisting: body.add_existing === true }),
  );
}
