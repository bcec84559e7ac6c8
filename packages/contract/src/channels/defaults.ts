import { z } from 'zod';
import { COUNT, SEARCH } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, text, wholeNumber } from '../api/fields.ts';
import { CHANNELS_PER_PAGE, DEFAULT_CHANNELS_MAX, SEARCH_MAX } from '../api/limits.ts';
import { Channel, ChannelType } from './channels.ts';

const TeamParams = z.object({ teamId: Id });

/**
 * Channels of a team to choose from: public and private ones, without archived and direct ones. Of a private channel that
 * the caller isn't a member of only id, names and type are filled in. `general` first, then by name. A page has at most 100;
 * only a full page may be followed by another.
 */
export const listTeamChannels = endpoint({
  name: 'listTeamChannels',
  costs: [SEARCH],
  method: 'GET',
  path: '/teams/:teamId/channels',
  summary: 'List the channels of the team, page by page.',
  params: TeamParams,
  query: z.object({
    /** Counted from 0, the default. */
    page: wholeNumber(0, 1_000_000).optional(),
    /** 100 by default and at most. */
    per_page: wholeNumber(1, 10_000)
      .transform((rows) => Math.min(rows, CHANNELS_PER_PAGE))
      .optional(),
    /** Only channels whose name contains this text, in any case. */
    search: text(SEARCH_MAX).optional(),
    /** Only public (O) or only private (P) channels. */
    type: z.enum(['O', 'P']).optional(),
  }),
  answer: z.array(Channel),
});

export const DefaultChannel = z.object({
  channel_id: Id,
  /** The last known display name if the channel is missing. */
  channel_name: z.string(),
  /** `null` if the channel no longer exists. */
  type: ChannelType.nullable(),
  /** `missing` channels no longer exist; no one joins these or archived ones. */
  state: z.enum(['active', 'archived', 'missing']),
  /** Every member belongs to `general`, and it can't be removed. */
  general: z.boolean(),
});
export type DefaultChannel = z.infer<typeof DefaultChannel>;

/** `general` is always included and first; the others are sorted by name. */
export const getDefaultChannels = endpoint({
  name: 'getDefaultChannels',
  method: 'GET',
  path: '/admin/teams/:teamId/channel_default',
  summary: 'Get the channels that new members join.',
  params: TeamParams,
  answer: z.object({ default_channels: z.array(DefaultChannel) }),
});

const ChannelIds = z.array(Id).max(DEFAULT_CHANNELS_MAX, `must have at most ${DEFAULT_CHANNELS_MAX} channels`);

/**
 * Replaces the default channels, all or nothing. Refuses a list without `general` (`channels.general_required`), and one
 * with a channel that is neither an open channel of this team nor a default channel already (`channels.not_of_team`). With
 * `add_existing` current members join too, in the background; refused with `channels.join_running` while an earlier save
 * is still adding members.
 */
export const saveDefaultChannels = endpoint({
  name: 'saveDefaultChannels',
  method: 'POST',
  path: '/admin/teams/:teamId/channel_default',
  summary: 'Set the channels that new members join.',
  params: TeamParams,
  body: z.object({ default_channels: ChannelIds, add_existing: z.boolean().optional() }),
  answer: Done,
});

/** Counts the current members who would join with `add_existing`. The body and the errors are those of saving. */
export const previewDefaultChannels = endpoint({
  name: 'previewDefaultChannels',
  costs: [COUNT],
  method: 'POST',
  path: '/admin/teams/:teamId/channel_default/preview',
  summary: 'Count the members that would join, before saving.',
  params: TeamParams,
  body: z.object({ default_channels: ChannelIds, add_existing: z.boolean().optional() }),
  answer: z.object({
    /** Members who would join at least one channel. */
    people: z.int(),
    /** All members who can join channels: active ones with an account. */
    of_people: z.int(),
    /** In the given order, without `general`. */
    channels: z.array(z.object({ channel_id: Id, type: ChannelType, joining: z.int() })),
  }),
});

/** A background job that adds current members to default channels. Times are milliseconds since 1970. */
export const ChannelJoin = z.object({
  id: Id,
  state: z.enum(['running', 'done']),
  /** Members processed so far, and in total; the total is 0 until they are counted, shortly after the start. */
  people_done: z.int(),
  people_total: z.int(),
  /** Memberships added: a member in two channels counts twice. */
  joined: z.int(),
  started_at: z.int(),
  ended_at: z.int().nullable(),
});
export type ChannelJoin = z.infer<typeof ChannelJoin>;

/** The running job, or else the last one; `null` if there was none. */
export const getChannelJoin = endpoint({
  name: 'getChannelJoin',
  method: 'GET',
  path: '/admin/teams/:teamId/channel_default/join',
  summary: 'Get the progress of adding current members to the default channels.',
  params: TeamParams,
  answer: z.object({ join: ChannelJoin.nullable() }),
});
