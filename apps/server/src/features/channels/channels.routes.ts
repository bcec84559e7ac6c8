// Channels: members read and post messages, in Mattermost's format, and so do the team's admins in public channels; an owner
// temporarily lets others read private and direct ones (compliance access); an admin chooses the channels that new members
// join, and an owner those that the members of a provider's group join. Owns default_channels, group_channels, channel_joins
// and compliance_access. The stores in workspace/ write channels, channel_members,
// messages and files.

import { isId } from '@steward/contract/api/fields';
import { CHANNELS_PER_PAGE } from '@steward/contract/api/limits';
import { addPost, getChannel, getChannelMember, listPosts } from '@steward/contract/channels';
import {
  endComplianceAccess,
  grantComplianceAccess,
  listComplianceAccess,
  listTeamComplianceAccess,
} from '@steward/contract/channels/compliance';
import {
  getChannelJoin,
  getDefaultChannels,
  listTeamChannels,
  previewDefaultChannels,
  saveDefaultChannels,
} from '@steward/contract/channels/defaults';
import { listChannelGroups, previewChannelGroup, saveChannelGroup } from '@steward/contract/channels/groups';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access } from '#workspace/access/access.ts';
import { openChannel, recordComplianceReading } from '#workspace/access/enter-channel.ts';
import { recently } from '#workspace/access/step-up.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findChannelMember } from '#workspace/channels/channels.store.ts';
import { findLastJoin } from './channel-joins.store.ts';
import { endAccess, grantAccess } from './compliance.actions.ts';
import { findTeamChannel, listGrants } from './compliance.store.ts';
import { countPendingMembers, resolveChannels, updateDefaultChannels } from './default-channels.actions.ts';
import { listChannels, listDefaultChannels } from './default-channels.store.ts';
import { previewGroup, saveGroup } from './group-channels.actions.ts';
import { listGroups } from './group-channels.store.ts';
import { fetchPosts, writePost } from './posts.actions.ts';

export function channelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getChannel, access.signedIn, async ({ params, who }) => {
    const { channel } = await openChannel(deps.db, params.channelId, who);
    const compliance_access = channel.type === 'O' ? [] : await listGrants(deps.db, channel.team_id, channel.id);
    return { ...channel, compliance_access };
  });

  serve(app, getChannelMember, access.signedIn, async ({ params, who }) => {
    const { channel } = await openChannel(deps.db, params.channelId, who);
    const userId = params.userId === 'me' ? who.userId : params.userId;
    const member = isId(userId) && (await findChannelMember(deps.db, channel, userId));
    if (!member) refuse('record.not_found');
    return { channel_id: channel.id, user_id: userId, roles: 'channel_user', last_update_at: member.since };
  });

  serve(app, listPosts, access.signedIn, async ({ params, query, who, origin }) => {
    const { channel, reading } = await openChannel(deps.db, params.channelId, who);
    const page = await fetchPosts(deps.db, channel, query);
    if (reading === 'compliance') {
      const where = { teamId: channel.team_id, channelId: channel.id, userId: who.userId };
      const read = { posts: Object.keys(page.posts).length };
      await recordComplianceReading(deps, { ...where, read }, origin);
    }
    return page;
  });

  serveChange({ app, deps }, addPost, access.signedIn, (trx, { body, who }) => writePost(trx, who, body));

  complianceRoutes(app, deps, access);
  defaultChannelsRoutes(app, deps, access);
  groupChannelsRoutes(app, deps, access);
}

/** Compliance access lets a user read private and direct channels without being a member. */
function complianceRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  const feature = { app, deps };

  serve(app, listTeamComplianceAccess, access.teamOwner, async ({ who }) => ({
    records: await listGrants(deps.db, who.teamId),
  }));

  serve(app, listComplianceAccess, access.teamOwner, async ({ who, params }) => {
    const channel = (await findTeamChannel(deps.db, who.teamId, params.channelId)) ?? refuse('record.not_found');
    return { records: await listGrants(deps.db, who.teamId, channel.id) };
  });

  serveChange(feature, grantComplianceAccess, access.teamOwner, (trx, { who, params, body }) =>
    grantAccess(trx, { teamId: who.teamId, channelId: params.channelId, actorId: who.userId }, body),
  );

  serveChange(feature, endComplianceAccess, access.teamOwner, (trx, { who, params, query }) =>
    endAccess(trx, { teamId: who.teamId, channelId: params.channelId, actorId: who.userId }, query.user_id),
  );
}

function defaultChannelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
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
    return deps.countQueue.run({ key: who.teamId, user: who.userId }, count);
  });

  serve(app, getChannelJoin, access.teamAdmin, async ({ who }) => ({
    join: await findLastJoin(deps.db, who.teamId, 'defaults'),
  }));

  serveChange({ app, deps }, saveDefaultChannels, access.teamAdmin, (trx, { who, body }) =>
    updateDefaultChannels(trx, deps, { ...who, ids: body.default_channels, addExisting: body.add_existing === true }),
  );
}

/** Only owners decide where a provider can add members. */
function groupChannelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, listChannelGroups, access.teamOwner, async ({ who: { teamId }, query }) => {
    const search = (query.search ?? '').trim().normalize('NFC');
    const scope = { list: 'channel groups', teamId, filters: { search } };
    const after = readCursor(deps.secrets, scope, query.last_key);
    const { limit } = query;
    const rows = await listGroups(deps.db, teamId, { search, after, limit: rowsToFetch(limit) });
    const first = after === undefined;
    const toKey = ({ sort, id }: { sort: string; id: string }) => [sort, id];
    const page = getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey });
    return { ...page, run: await findLastJoin(deps.db, teamId, 'groups') };
  });

  serve(app, previewChannelGroup, access.teamOwner, ({ who, body }) => previewGroup(deps, { ...who, body }));

  serveChange({ app, deps }, saveChannelGroup, recently(access.teamOwner), (trx, { who, body }) =>
    saveGroup(trx, deps, { ...who, body }),
  );
}
