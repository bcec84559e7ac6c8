import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';

/** What may need an admin's attention, the gravest first; the last two are for information (design §6, §8). */
export const AttentionKind = z.enum([
  /** A help desk is connected and does not work. */
  'integration_failing',
  /** The last run of a rule failed, was refused, or had to leave something. */
  'retention_failed',
  /** A rule is in force, and no run of it has begun for over a day. */
  'retention_overdue',
  /** Tickets that could not be posted in every channel. */
  'deliveries_failed',
  /** Invitations whose newest mail was given up, to people who still have not answered. */
  'invitations_failed',
  /** Other mails about the team that were given up within a week, with none to the same person since. */
  'mails_failed',
  /** Mails that wait to be sent for longer than they should. */
  'mails_waiting',
  /** A help desk works, with something to look at. */
  'integration_warning',
  /** Rules that begin to delete soon. */
  'retention_waiting',
  /** People who were invited and have not answered. */
  'invitations_pending',
]);
export type AttentionKind = z.infer<typeof AttentionKind>;

/** Counting ends here: so many, or more. */
export const ATTENTION_COUNT_MAX = 100;

/** One thing that needs attention. */
export const Attention = z.object({
  kind: AttentionKind,
  /** Deliveries, mails, people, help desks; of retention the kinds of content. At most `ATTENTION_COUNT_MAX`. */
  count: z.int(),
  /** When the oldest of them began, in milliseconds since 1970; of rules that wait, when the first one begins. */
  since: z.int().nullable(),
  /** What is known of the newest: the words of a mail server, of a run or of a help desk, or the address of who was invited. */
  text: z.string().optional(),
});
export type Attention = z.infer<typeof Attention>;

/** What needs attention in a team, the gravest first; quick, whatever is stored. */
export const getAttention = endpoint({
  name: 'getAttention',
  method: 'GET',
  path: '/admin/teams/:teamId/attention',
  summary: 'What needs attention in the team.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(Attention) }),
});
