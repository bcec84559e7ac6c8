// Channels: their members and the team's admins read and post messages, in Mattermost's format; an admin chooses the
// channels that new members join. Owns default_channels and channel_joins. The stores in workspace/ write channels,
// channel_members, messages and files. The inner folders, defaults and posts, don't import each other.

import { addPost, getChannel, getChannelMember, listPosts } from '@steward/contract/channels';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { enterChannel } from '#workspace/access/channel-access.ts';
import { serveChange } from '#workspace/changes/change.ts';
import { findChannelMember } from '#workspace/channels/channels.store.ts';
import { defaultChannelsRoutes } from './defaults/default-channels.routes.ts';
import { writePost } from './posts/add-post.actions.ts';
import { fetchPosts } from './posts/list-posts.actions.ts';

/** Registers the endpoints of channels. */
export function channelsRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getChannel, access.signedIn, ({ params, who }) => enterChannel(deps.db, params.channelId, who.personId));

  serve(app, getChannelMember, access.signedIn, async ({ params, who }) => {
    const channel = await enterChannel(deps.db, params.channelId, who.personId);
    const userId = params.userId === 'me' ? who.personId : params.userId;
    const member = /^[a-z0-9]{26}$/.test(userId) && (await findChannelMember(deps.db, channel, userId));
    if (!member) refuse('record.not_found');
    return { channel_id: channel.id, user_id: userId, roles: 'channel_user', last_update_at: member.since };
  });

  serve(app, listPosts, access.signedIn, async ({ params, query, who }) => {
    const channel = await enterChannel(deps.db, params.channelId, who.personId);
    return fetchPosts(deps.db, channel, query);
  });

  serveChange({ app, deps }, addPost, access.signedIn, (trx, { body, who }) => writePost(trx, who.personId, body));

  defaultChannelsRoutes(app, deps, access);
}
