import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, listAnswer, listQuery, wholeNumber } from '../api/fields.ts';
import { AUDIT_FILTER_MAX } from '../api/limits.ts';
import { parseAuditActions } from './catalog.ts';

/** Who or what made a change. A person who has left the team keeps the id alone. */
export const AuditBy = z.enum(['person', 'operator', 'service', 'provisioning', 'itself', 'unknown']);
export type AuditBy = z.infer<typeof AuditBy>;

/** One row of the audit log: what was done, by whom, to what, from where, and what it was before. */
export const AuditRecord = z.object({
  id: Id,
  /** When it was done, in milliseconds. */
  at: z.int(),
  by: AuditBy,
  /** The person; null if it was none. Name and email are '' for a former member. */
  actor: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  /** `area.action`, such as 'users.invited'; the catalog has its label. */
  action: z.string(),
  /** Id of what it was done to; '' if it was more than one thing, or a channel that the caller can't see. */
  target: z.string(),
  /** Name of the target, even after it was deleted; '' if only its id is known. */
  target_name: z.string(),
  /** Version of the schema that `details` was stored with, counted from 1. */
  version: z.int(),
  /** What was stored with it, without channels the caller can't see; after an edit, `before` and `after`. Long lists are cut. */
  details: z.record(z.string(), z.unknown()),
  /** Items of long lists in `details` that are left out. */
  left_out: z.int(),
  /** Names of the ids in `details`, as far as they are known. */
  names: z.record(z.string(), z.string()),
  /** Network address of the request; '' if there was none. */
  address: z.string(),
  /** Id of the request, as in the server's log. */
  request_id: z.string(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Milliseconds since 1970, up to the end of the year 9999. */
const Moment = wholeNumber(0, 253_402_300_799_999);

/** Filters of the audit log; a row must match all of them. */
export const AuditFilters = z.object({
  /** A person's id, or 'none' for changes by the system and by services. */
  actor: z.union([Id, z.literal('none')], 'is not an id').optional(),
  /** Comma-separated actions and areas: 'users.invited,tokens'. */
  action: z
    .string()
    .max(AUDIT_FILTER_MAX, 'is too long')
    .refine((filter) => parseAuditActions(filter) !== undefined, 'is not an action or an area')
    .optional(),
  /** Id of what it was done to. */
  target: Id.optional(),
  /** From this moment on, in milliseconds. */
  from: Moment.optional(),
  /** Before this moment, in milliseconds. */
  to: Moment.optional(),
});
export type AuditFilters = z.input<typeof AuditFilters>;

/** Every change in a team, newest first; any page costs as much as the first one. */
export const listAuditEvents = endpoint({
  name: 'listAuditEvents',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/audit_log',
  summary: 'List the changes made in a team, newest first: who, what, when, from where, before and after.',
  params: z.object({ teamId: Id }),
  query: AuditFilters.extend({ last_key: listQuery.last_key, limit: listQuery.limit }),
  answer: listAnswer(AuditRecord),
});
