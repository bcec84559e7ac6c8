import { z } from 'zod';
import { COUNT } from './api/costs.ts';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';
import { RetentionKind } from './retention/fields.ts';

const TeamParams = z.object({ teamId: Id });

/** Most severe first; the last three are informational. */
export const AttentionKind = z.enum([
  /** A connected integration fails. */
  'integration_failing',
  /** The last run of a rule failed, was refused, or couldn't delete some items. */
  'retention_failed',
  /** No run of a current rule has started for over a day. */
  'retention_overdue',
  /** Messages that couldn't be posted to every channel. */
  'deliveries_failed',
  /** Pending invitations whose last email failed. */
  'invitations_failed',
  /** Other emails of the team that failed within a week, if none was sent to the same user since. */
  'mails_failed',
  /** Emails that have been waiting to be sent for too long. */
  'mails_waiting',
  /** A night of the inactivity rule would touch many members, and waits for an owner. */
  'inactivity_asks',
  /** The inactivity rule did nothing in the last nights, because its source of activity was silent. */
  'inactivity_paused',
  /** The bridge of a connected server has not reported for ten minutes. */
  'connection_silent',
  /** A check of a connected server failed, so that nothing is deleted there. */
  'connection_failing',
  /** The last rehearsal of a deletion at a connected server failed. */
  'rehearsal_failed',
  /** The last order to a connected server named more messages than its lists had, and was refused. */
  'order_refused',
  /** Messages of the last order that could not be deleted completely, or whose deletion could not be verified. */
  'order_incomplete',
  /** Users who are still active at a connected server, although the linked account lost its access to the team. */
  'connected_users_ended',
  /** A connected server waits for an owner to accept it. */
  'connection_waiting',
  /** A connected integration has warnings. */
  'integration_warning',
  /** Stricter rules that take effect soon. */
  'retention_waiting',
  /** Members whose access ends within `ENDING_SOON_DAYS`. */
  'members_leaving',
  /** Invitations that weren't accepted yet. */
  'invitations_pending',
]);
export type AttentionKind = z.infer<typeof AttentionKind>;

/** Maximum count: this many, or more. */
export const ATTENTION_COUNT_MAX = 100;

export const Attention = z.object({
  kind: AttentionKind,
  /** Number of deliveries, emails, invitations, members, users of connected servers, nights, integrations or connected servers; for retention, of kinds of content. At most `ATTENTION_COUNT_MAX`. */
  count: z.int(),
  /** Time of the oldest one, in milliseconds since 1970; for scheduled rules, the time at which the first one takes effect. */
  since: z.int().nullable(),
  /**
   * Latest message of the SMTP server, run or integration; or the email address of the only invitee; or the first end date of
   * the members; or the reason or name of a connected server.
   */
  text: z.string().optional(),
});
export type Attention = z.infer<typeof Attention>;

/** Most severe first; fast with any amount of data. */
export const getAttention = endpoint({
  name: 'getAttention',
  method: 'GET',
  path: '/admin/teams/:teamId/attention',
  summary: 'List what needs attention in the team.',
  params: TeamParams,
  answer: z.object({ records: z.array(Attention) }),
});

/**
 * Activity is use of the portal or of a client that speaks to this server, or what a service reported. Integration users don't count; numbers are of active
 * members unless they say otherwise.
 */
export const PeopleSummary = z.object({
  members: z.int(),
  active_7_days: z.int(),
  active_30_days: z.int(),
  /** Never active since they joined. */
  never_active: z.int(),
  /** Not active for 90 days, or never. */
  inactive_90_days: z.int(),
  /** Members whose access ends within so many days. */
  leaving_14_days: z.int(),
  leaving_30_days: z.int(),
  /** Open invitations, and those of them that are older than 14 days. */
  invited: z.int(),
  invited_over_14_days: z.int(),
});
export type PeopleSummary = z.infer<typeof PeopleSummary>;

export const getPeopleSummary = endpoint({
  name: 'getPeopleSummary',
  method: 'GET',
  path: '/admin/teams/:teamId/summary/people',
  summary: 'How many members the team has, and how many of them are active.',
  params: TeamParams,
  answer: PeopleSummary,
});

/** Of active members. Up to five minutes old in a team with about 100,000 members. */
export const SignInSummary = z.object({
  members: z.int(),
  /** With an authenticator app or a passkey. */
  with_second_factor: z.int(),
  /** Linked to the identity provider of the team. */
  with_single_sign_on: z.int(),
  /** Admins and owners. */
  admins: z.int(),
  admins_without_second_factor: z.int(),
});
export type SignInSummary = z.infer<typeof SignInSummary>;

export const getSignInSummary = endpoint({
  name: 'getSignInSummary',
  method: 'GET',
  path: '/admin/teams/:teamId/summary/sign_in',
  summary: 'How many members have a second factor or single sign-on.',
  params: TeamParams,
  answer: SignInSummary,
});

const Amount = z.object({ count: z.int(), bytes: z.int() });

export const StorageSummary = z.object({
  /** Time of the count, in milliseconds: now, or up to an hour ago for a team with much content. */
  counted_at: z.int(),
  total: Amount,
  /** Kinds of content that the team has. */
  kinds: z.array(Amount.extend({ kind: RetentionKind })),
  /** Added in the last 30 days, and still there. */
  added_30_days: Amount,
  /** The public channels with the most bytes of messages and files, at most ten. */
  channels: z.array(Amount.extend({ channel_id: Id, channel_name: z.string() })),
  /** All private and direct channels together. */
  private: Amount,
  /** Deleted by retention rules since the month began in the team's time zone. */
  freed_this_month: Amount,
});
export type StorageSummary = z.infer<typeof StorageSummary>;

export const getStorageSummary = endpoint({
  name: 'getStorageSummary',
  costs: [COUNT],
  method: 'GET',
  path: '/admin/teams/:teamId/summary/storage',
  summary: 'What the team stores, by kind and by channel.',
  params: TeamParams,
  answer: StorageSummary,
});

export const RetentionSummary = z.object({
  /** Rules that delete. */
  rules: z.int(),
  /** The last nightly run of all rules; null if there was none. */
  last_night: z
    .object({
      at: z.int(),
      deleted: z.int(),
      bytes: z.int(),
      /** True if a rule failed or was refused, or couldn't delete some items. */
      failed: z.boolean(),
    })
    .nullable(),
  /** Active legal holds. */
  holds: z.int(),
});
export type RetentionSummary = z.infer<typeof RetentionSummary>;

export const getRetentionSummary = endpoint({
  name: 'getRetentionSummary',
  method: 'GET',
  path: '/admin/teams/:teamId/summary/retention',
  summary: 'Rules in effect, the last night and active legal holds.',
  params: TeamParams,
  answer: RetentionSummary,
});

/** Messages of connected integrations in the last 7 days. */
export const IntegrationsSummary = z.object({
  connected: z.int(),
  posted_7_days: z.int(),
  /** Reached no channel, or only some. */
  failed_7_days: z.int(),
});
export type IntegrationsSummary = z.infer<typeof IntegrationsSummary>;

export const getIntegrationsSummary = endpoint({
  name: 'getIntegrationsSummary',
  method: 'GET',
  path: '/admin/teams/:teamId/summary/integrations',
  summary: 'Messages that integrations posted.',
  params: TeamParams,
  answer: IntegrationsSummary,
});
