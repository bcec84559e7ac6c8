import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id, listOf, listQuery, wholeNumber } from '../api/fields.ts';
import { AUDIT_FILTER_MAX } from '../api/limits.ts';
import { parseAuditActions } from './catalogue.ts';

/** Who or what made a change. A person who has left the team keeps the id alone. */
export const AuditBy = z.enum(['person', 'operator', 'service', 'itself', 'unknown']);
export type AuditBy = z.infer<typeof AuditBy>;

/** One line of the audit log (trust G17): what was done, by whom, to what, from where, and what it was before. */
export const AuditRecord = z.object({
  id: Id,
  /** When it was done, in milliseconds. */
  at: z.int(),
  by: AuditBy,
  /** The person; null where it was none. Name and email are '' for somebody who is not in the team any more. */
  actor: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  /** `room.action`, as in 'users.invited'; words for it stand in the catalogue. */
  action: z.string(),
  /** Id of what it was done to; '' where it was no single thing. */
  target: z.string(),
  /** What to call the target, also when it is deleted; '' where nothing is known but its id. */
  target_name: z.string(),
  /** What was written down with it; where something was edited, `before` and `after`. Long lists are cut. */
  details: z.record(z.string(), z.unknown()),
  /** Items of long lists in `details` that are left out. */
  left_out: z.int(),
  /** Names for ids that stand in `details`, as far as they are known. */
  names: z.record(z.string(), z.string()),
  /** Network address that it came from; '' where it came from none. */
  address: z.string(),
  /** Of the request that did it, as in the server's log. */
  request_id: z.string(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Milliseconds since 1970, up to the end of the year 9999. */
const Moment = wholeNumber(0, 253_402_300_799_999);

/** Filters of the audit log; each narrows what the others leave. */
export const AuditFilters = z.object({
  /** A person's id, or 'none' for what no person did. */
  actor: z.union([Id, z.literal('none')], 'is not an id').optional(),
  /** Actions or rooms, with commas between: 'users.invited,tokens'. */
  action: z
    .string()
    .max(AUDIT_FILTER_MAX, 'is too long')
    .refine((filter) => parseAuditActions(filter) !== undefined, 'is not an action or a part of the product')
    .optional(),
  /** Id of what it was done to. */
  target: Id.optional(),
  /** From this moment on, in milliseconds. */
  from: Moment.optional(),
  /** Before this moment, in milliseconds. */
  to: Moment.optional(),
});
export type AuditFilters = z.input<typeof AuditFilters>;

/** Everything that was changed in a team, newest first; deep pages cost what the first costs (design §4). */
export const listAuditEvents = endpoint({
  name: 'listAuditEvents',
  method: 'GET',
  path: '/admin/teams/:teamId/audit_log',
  summary: 'What was changed in the team: who, what, when, from where, before and after. Newest first.',
  params: z.object({ teamId: Id }),
  query: AuditFilters.extend({ last_key: listQuery.last_key, limit: listQuery.limit }),
  answer: listOf(AuditRecord),
});
