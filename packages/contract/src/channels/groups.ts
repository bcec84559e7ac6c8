import { z } from 'zod';
import { COUNT, EXPORT, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, listAnswer, listQuery } from '../api/fields.ts';
import { GROUP_CHANNELS_MAX } from '../api/limits.ts';
import { ChannelType } from './channels.ts';
import { ChannelJoin } from './defaults.ts';

const TeamParams = z.object({ teamId: Id });

/** A group that the identity provider provisions, and the channels that its members join. */
export const ChannelGroup = z.object({
  id: Id,
  name: z.string(),
  /** The provider's id; '' if it sent none. */
  external_id: z.string(),
  /** Members of the team who are in the group, also deactivated and invited ones. */
  members: z.int(),
  channels: z.array(
    z.object({
      channel_id: Id,
      channel_name: z.string(),
      type: ChannelType,
      /** The members of an archived channel don't change. */
      archived: z.boolean(),
    }),
  ),
});
export type ChannelGroup = z.infer<typeof ChannelGroup>;

/** By name. `run` is the job of the last change, or null. Only for owners. */
export const listChannelGroups = endpoint({
  name: 'listChannelGroups',
  costs: [SEARCH, EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/channel_groups',
  summary: 'List the groups of the identity provider with their channels.',
  params: TeamParams,
  query: z.object(listQuery),
  answer: listAnswer(ChannelGroup).extend({ run: ChannelJoin.extend({ removed: z.int() }).nullable() }),
});

const Mapping = z.object({
  group_id: Id,
  channel_ids: z
    .array(Id)
    .max(GROUP_CHANNELS_MAX, `must have at most ${GROUP_CHANNELS_MAX} channels`)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a channel twice'),
});

/** Counts who would join and leave each channel, current and new ones. The body and the errors are those of saving. */
export const previewChannelGroup = endpoint({
  name: 'previewChannelGroup',
  costs: [COUNT],
  method: 'POST',
  path: '/admin/teams/:teamId/channel_groups/preview',
  summary: 'Count who would join and leave channels, before saving.',
  params: TeamParams,
  body: Mapping,
  answer: z.object({
    channels: z.array(z.object({ channel_id: Id, channel_name: z.string(), joining: z.int(), leaving: z.int() })),
  }),
});

/**
 * Replaces the channels of a group, all or nothing; a job adds and removes members. Refuses a channel that is neither an open
 * public channel of the team, nor a private one that the caller is a member of, nor one of the group already
 * (`channels.not_of_team`). Only for owners.
 */
export const saveChannelGroup = endpoint({
  name: 'saveChannelGroup',
  method: 'POST',
  path: '/admin/teams/:teamId/channel_groups',
  summary: 'Set the channels that the members of a group join.',
  params: TeamParams,
  body: Mapping,
  answer: ChannelGroup,
});
