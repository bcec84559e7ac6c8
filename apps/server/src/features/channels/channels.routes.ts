// Channels: members read and post messages, in Mattermost's format, and so do the team's admins in public channels; an owner
// temporarily lets others read private and direct ones (compliance access); an admin chooses the channels that new members
// join. Owns default_channels, channel_joins and compliance_access. The stores in workspace/ write channels, channel_members,
// messages and files.

import { isId } from '@steward/contract/api/fields';
import { addPost, getChannel, getChannelMember, listPosts } from '@steward/contract/channels';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { openChannel, recordComplianceReading } from '#workspace/access/enter-channel.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findChannelMember } from '#workspace/channels/channels.store.ts';
import { complianceRoutes } from './compliance.routes.ts';
import { listGrants } from './compliance.store.ts';
import { defaultChannelsRoutes } from './default-channels.routes.ts';
import { fetchPosts, writePost } from './posts.actions.ts';

export function channelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getChannel, access.signedIn, async ({ params, who }) => {
    const { channel } = await openChannel(deps.db, params.channelId, who);
    const compliance_access = channel.type === 'O' ? [] : await listGrants(deps.db, channel.team_id, channel.id);
    return { ...channel, compliance_access };
  });

  serve(app, getChannelMember, access.signedIn, async ({ params, who }) => {
    const { channel } = await openChannel(deps.db, params.channelId, who);
    const userId = params.userId === 'me' ? who.personId : params.userId;
    const member = isId(userId) && (await findChannelMember(deps.db, channel, userId));
    if (!member) refuse('record.not_found');
    return { channel_id: channel.id, user_id: userId, roles: 'channel_user', last_update_at: member.since };
  });

  serve(app, listPosts, access.signedIn, async ({ params, query, who, origin }) => {
    const { channel, reading } = await openChannel(deps.db, params.channelId, who);
    const page = await fetchPosts(deps.db, channel, query);
    if (reading === 'compliance') {
      const where = { teamId: channel.team_id, channelId: channel.id, personId: who.personId };
      const read = { posts: Object.keys(page.posts).length };
      await recordComplianceReading(deps.db, { ...where, read }, origin);
    }
    return page;
  });

  serveChange({ app, deps }, addPost, access.signedIn, (trx, { body, who }) => writePost(trx, who, body));

  complianceRoutes(app, deps, access);
  defaultChannelsRoutes(app, deps, access);
}
