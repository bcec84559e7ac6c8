import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';

/** Most severe first; the last two are informational. */
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
  /** A connected integration has warnings. */
  'integration_warning',
  /** Stricter rules that take effect soon. */
  'retention_waiting',
  /** Invitations that weren't accepted yet. */
  'invitations_pending',
]);
export type AttentionKind = z.infer<typeof AttentionKind>;

/** Maximum count: this many, or more. */
export const ATTENTION_COUNT_MAX = 100;

export const Attention = z.object({
  kind: AttentionKind,
  /** Number of deliveries, emails, invitations or integrations; for retention, of kinds of content. At most `ATTENTION_COUNT_MAX`. */
  count: z.int(),
  /** Time of the oldest one, in milliseconds since 1970; for scheduled rules, the time at which the first one takes effect. */
  since: z.int().nullable(),
  /** Latest message of the SMTP server, run or integration; or the email address of the only invitee. */
  text: z.string().optional(),
});
export type Attention = z.infer<typeof Attention>;

/** Most severe first; fast with any amount of data. */
export const getAttention = endpoint({
  name: 'getAttention',
  method: 'GET',
  path: '/admin/teams/:teamId/attention',
  summary: 'List what needs attention in the team.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(Attention) }),
});
