import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, text, wholeNumber } from '../api/fields.ts';
import { CHANNELS_PER_PAGE, DEFAULT_CHANNELS_MAX, SEARCH_MAX } from '../api/limits.ts';
import { Channel, ChannelType } from './channels.ts';

const TeamParams = z.object({ teamId: Id });

/**
 * Channels of a team to choose from: public ones, and private ones that the caller has joined; archived and direct ones are
 * left out. `general` first, then by name. A page holds at most 100; only a full page may be followed by another (spec §9).
 */
export const listTeamChannels = endpoint({
  name: 'listTeamChannels',
  method: 'GET',
  path: '/teams/:teamId/channels',
  summary: 'Channels of the team, a page at a time.',
  params: TeamParams,
  query: z.object({
    /** Counted from 0, which is also meant when absent. */
    page: wholeNumber(0, 1_000_000).optional(),
    /** 100 when absent; what is more counts as 100. */
    per_page: wholeNumber(1, 10_000)
      .transform((rows) => Math.min(rows, CHANNELS_PER_PAGE))
      .optional(),
    /** Only channels with this text in their name, whatever its case. */
    search: text(SEARCH_MAX).optional(),
  }),
  answer: z.array(Channel),
});

/** A default channel: people who come to the team join it (spec §3, default channels). */
export const DefaultChannel = z.object({
  channel_id: Id,
  /** Its display name; of a channel that is gone the last one known. */
  channel_name: z.string(),
  /** `null` where the channel is gone. */
  type: ChannelType.nullable(),
  /** Absent channels are gone altogether; nobody joins these nor archived ones. */
  state: z.enum(['active', 'archived', 'missing']),
  /** Whether it is the channel that everybody belongs to and that cannot be taken out. */
  general: z.boolean(),
});
export type DefaultChannel = z.infer<typeof DefaultChannel>;

/** The default channels of a team, `general` first and always among them, then by name. */
export const getDefaultChannels = endpoint({
  name: 'getDefaultChannels',
  method: 'GET',
  path: '/admin/teams/:teamId/channel_default',
  summary: 'Channels that new people join.',
  params: TeamParams,
  answer: z.object({ default_channels: z.array(DefaultChannel) }),
});

const ChannelIds = z.array(Id).max(DEFAULT_CHANNELS_MAX, `must have at most ${DEFAULT_CHANNELS_MAX} channels`);

/**
 * Replaces the default channels, all or nothing. Refuses a list without `general` (`channels.general_required`), and one
 * with a channel that is no open channel of this team nor a default channel already (`channels.not_of_team`). With
 * `add_existing` the people who are in the team already join too, in the background; refused with
 * `channels.join_running` while an earlier save's people still do.
 */
export const saveDefaultChannels = endpoint({
  name: 'saveDefaultChannels',
  method: 'POST',
  path: '/admin/teams/:teamId/channel_default',
  summary: 'Choose the channels that new people join.',
  params: TeamParams,
  body: z.object({ default_channels: ChannelIds, add_existing: z.boolean().optional() }),
  answer: Done,
});

/** How many people of the team would join if these were saved with `add_existing`; same body and refusals as saving. */
export const previewDefaultChannels = endpoint({
  name: 'previewDefaultChannels',
  method: 'POST',
  path: '/admin/teams/:teamId/channel_default/preview',
  summary: 'Count who would join, before saving.',
  params: TeamParams,
  body: z.object({ default_channels: ChannelIds, add_existing: z.boolean().optional() }),
  answer: z.object({
    /** People who would join at least one channel. */
    people: z.int(),
    /** Whom adding can concern at all: active people with an account. */
    of_people: z.int(),
    /** In the order given, `general` left out: everybody belongs to it. */
    channels: z.array(z.object({ channel_id: Id, type: ChannelType, joining: z.int() })),
  }),
});

/** People of a team being added to default channels in the background. Instants are milliseconds since 1970. */
export const ChannelJoin = z.object({
  id: Id,
  state: z.enum(['running', 'done']),
  /** People looked at so far, and in all; the latter is 0 until they are counted, a moment after the start. */
  people_done: z.int(),
  people_total: z.int(),
  /** Memberships that were added: one person in two channels counts twice. */
  joined: z.int(),
  started_at: z.int(),
  ended_at: z.int().nullable(),
});
export type ChannelJoin = z.infer<typeof ChannelJoin>;

/** The adding that runs, or the last one that ran; `null` when there was none. */
export const getChannelJoin = endpoint({
  name: 'getChannelJoin',
  method: 'GET',
  path: '/admin/teams/:teamId/channel_default/join',
  summary: 'How far people of the team have joined the default channels.',
  params: TeamParams,
  answer: z.object({ join: ChannelJoin.nullable() }),
});
