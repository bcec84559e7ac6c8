import { z } from 'zod';
import { PREVIEW } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { ErrorId } from '../api/errors.ts';
import { Id } from '../api/fields.ts';
import { USERS_PER_JOB_MAX } from '../api/limits.ts';
import { EndDate, SortOrder, UserFilters, UserSort } from './users.ts';

/** No bulk action makes an owner. */
export const BulkAction = z.enum([
  'revoke',
  'deactivate',
  'reactivate',
  'remove',
  'make_admin',
  'make_user',
  'set_end',
  'remove_end',
  'resend',
  'cancel_invitation',
]);
export type BulkAction = z.infer<typeof BulkAction>;

/** `state`: the action doesn't apply to the user now, or would change nothing. */
export const SkipReason = z.enum(['owner', 'self', 'zendesk', 'last_owner', 'state', 'not_found']);
export type SkipReason = z.infer<typeof SkipReason>;

const Skipped = z.array(z.object({ reason: SkipReason, count: z.int() }));

const Ids = z.array(Id).max(USERS_PER_JOB_MAX, `must hold at most ${USERS_PER_JOB_MAX} ids`);

/** The users that a list with this query shows, except some. `sort` and `order` have no effect. */
export const BulkFilter = z.strictObject({
  ...UserFilters.shape,
  sort: UserSort.optional(),
  order: SortOrder.optional(),
  except: Ids.optional(),
});
export type BulkFilter = z.infer<typeof BulkFilter>;
export type BulkFilterInput = z.input<typeof BulkFilter>;

const BulkRequest = z
  .object({
    action: BulkAction,
    user_ids: Ids.min(1, 'must hold at least one id').optional(),
    filter: BulkFilter.optional(),
    /** The end date that `set_end` sets. */
    ends_on: EndDate.optional(),
    dry_run: z.boolean().optional(),
  })
  .refine(
    ({ user_ids, filter }) => (user_ids === undefined) !== (filter === undefined),
    'give either user_ids or filter',
  )
  .refine(
    ({ action, ends_on }) => (action === 'set_end') === (ends_on !== undefined),
    'give ends_on with set_end only',
  );

/**
 * The job runs in the background. A dry run counts the users that it would affect, and changes nothing. Refuses with
 * `users.bulk_running` while another job of the team runs.
 */
export const startBulk = endpoint({
  name: 'startBulk',
  costs: [PREVIEW],
  method: 'POST',
  path: '/admin/teams/:teamId/users/bulk',
  summary: 'Do the same to many users, or count whom it would affect.',
  params: z.object({ teamId: Id }),
  body: BulkRequest,
  answer: z.object({
    id: Id.optional(),
    /** Only of a dry run; `id` is absent then. */
    affected: z.int().optional(),
    skipped: Skipped.optional(),
  }),
});

/** A job that `failed` doesn't undo its changes. */
export const BulkState = z.enum(['queued', 'running', 'done', 'failed']);
export type BulkState = z.infer<typeof BulkState>;

export const BulkJob = z.object({
  id: Id,
  action: BulkAction,
  state: BulkState,
  total: z.int(),
  done: z.int(),
  skipped: Skipped,
  /** The first users that could not be changed. */
  failed: z.array(z.object({ user_id: Id, error: ErrorId })),
  /** The reason of a failure, such as `team.admin_required`. */
  error: ErrorId.nullable(),
});
export type BulkJob = z.infer<typeof BulkJob>;

/** For all admins of the team, for 30 days. */
export const getBulk = endpoint({
  name: 'getBulk',
  method: 'GET',
  path: '/admin/teams/:teamId/users/bulk/:jobId',
  summary: 'Get the progress of a change to many users.',
  params: z.object({ teamId: Id, jobId: z.string() }),
  answer: BulkJob,
});
