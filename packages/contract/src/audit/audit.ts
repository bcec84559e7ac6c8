import { z } from 'zod';
import { EXPORT } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, listAnswer, listQuery, wholeNumber } from '../api/fields.ts';
import { AUDIT_FILTER_MAX } from '../api/limits.ts';
import { parseAuditActions } from './catalog.ts';

/** The origin of a change. Of a user who has left the team only the id remains. */
export const AuditBy = z.enum(['person', 'operator', 'service', 'provisioning', 'itself', 'unknown']);
export type AuditBy = z.infer<typeof AuditBy>;

/** One row of the audit log. */
export const AuditRecord = z.object({
  id: Id,
  at: z.int(),
  by: AuditBy,
  /** Null if the change wasn't made by a user. Name and email are '' for a former member. */
  actor: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
  /** `area.action`, such as 'users.invited'; the catalog has its label. */
  action: z.string(),
  /** Id of the object that was changed; '' for several objects, or for a channel that the caller can't see. */
  target: z.string(),
  /** Name of the target, even after it was deleted; '' if only its id is known. */
  target_name: z.string(),
  /** Version of the schema that `details` was stored with, counted from 1. */
  version: z.int(),
  /** Stored details, without channels that the caller can't see; after an edit, `before` and `after`. Long lists are cut. */
  details: z.record(z.string(), z.unknown()),
  /** Number of list items that `details` leaves out. */
  left_out: z.int(),
  /** Names of the ids in `details` that are known. */
  names: z.record(z.string(), z.string()),
  /** Network address of the request; '' if there was none. */
  address: z.string(),
  /** The same id as in the server's log. */
  request_id: z.string(),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Milliseconds since 1970, up to the end of the year 9999. */
const Moment = wholeNumber(0, 253_402_300_799_999);

/** Filters of the audit log; a row must match all of them. */
export const AuditFilters = z.object({
  /** A user's id, or 'none' for changes by the system and by services. */
  actor: z.union([Id, z.literal('none')], 'is not an id').optional(),
  /** Comma-separated actions and areas: 'users.invited,tokens'. */
  action: z
    .string()
    .max(AUDIT_FILTER_MAX, 'is too long')
    .refine((filter) => parseAuditActions(filter) !== undefined, 'is not an action or an area')
    .optional(),
  target: Id.optional(),
  /** Inclusive. */
  from: Moment.optional(),
  /** Exclusive. */
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
