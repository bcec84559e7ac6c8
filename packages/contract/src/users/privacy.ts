import { z } from 'zod';
import { EXPORT_JOB } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { EMAIL_MAX, EXPORT_REASON_MAX } from '../api/limits.ts';

/** `failed`: given up after several attempts. */
export const ExportState = z.enum(['queued', 'running', 'done', 'failed']);
export type ExportState = z.infer<typeof ExportState>;

/** An export of the stored data about a user: a ZIP file with JSON, CSV and the user's files. */
export const DataExport = z.object({
  id: Id,
  state: ExportState,
  /** Path of the file, for the user who requested it; null until it is complete. */
  url: z.string().nullable(),
  /** Bytes of the file so far. */
  size: z.int(),
  requested_at: z.int(),
  /** Time at which the file is deleted, in milliseconds: seven days after it was completed. */
  expires_at: z.int(),
});
export type DataExport = z.infer<typeof DataExport>;

export const UserExport = DataExport.extend({
  user_id: Id,
  /** The user's name, or the team's name for a user who left or was erased. */
  name: z.string(),
});
export type UserExport = z.infer<typeof UserExport>;

/** A user who left the team or was removed, as the team knew them. */
export const FormerUser = z.object({ id: Id, name: z.string(), email: z.string(), left_at: z.int() });
export type FormerUser = z.infer<typeof FormerUser>;

export const Erasure = Done.extend({
  /** Names are erased at once; `running` while the address is searched for in content and in the audit log. */
  state: z.enum(['running', 'done']),
  /** The new name of the user in the team, such as `Deleted user 7F3A`. */
  name: z.string(),
  /** `kept` if the account belongs to another team, which sees no change. */
  account: z.enum(['deleted', 'kept']),
});
export type Erasure = z.infer<typeof Erasure>;

export const ErasedUser = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['running', 'done']),
  account: z.enum(['deleted', 'kept']),
  started_at: z.int(),
  /** 0 while the address is still searched for. */
  ended_at: z.int(),
});
export type ErasedUser = z.infer<typeof ErasedUser>;

const UserParams = z.object({ teamId: Id, userId: z.string() });

/**
 * For owners (`team.owner_required`), of members and former members. The reason is kept in the audit log. While an export that
 * the caller requested is being written, the call returns that export again.
 */
export const exportUser = endpoint({
  name: 'exportUser',
  costs: [EXPORT_JOB],
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/export',
  summary: 'Export what the team stores about a user.',
  params: UserParams,
  body: z.object({ reason: text(EXPORT_REASON_MAX).trim().refine(isVisible, 'is required') }),
  answer: Done.extend({ id: Id }),
});

/** Only for the user who requested the export. */
export const getUserExport = endpoint({
  name: 'getUserExport',
  method: 'GET',
  path: '/admin/teams/:teamId/users/:userId/export/:exportId',
  summary: 'Progress of an export, and where to download it.',
  params: UserParams.extend({ exportId: z.string() }),
  answer: DataExport,
});

/** Only exports that the caller requested, newest first, until they expire. */
export const listUserExports = endpoint({
  name: 'listUserExports',
  method: 'GET',
  path: '/admin/teams/:teamId/user_exports',
  summary: 'List your exports of user data.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(UserExport) }),
});

/** Covers all teams and former teams of the caller. */
export const exportOwnData = endpoint({
  name: 'exportOwnData',
  costs: [EXPORT_JOB],
  method: 'POST',
  path: '/users/me/export',
  summary: 'Export your own data.',
  answer: Done.extend({ id: Id }),
});

/** The newest export; null if there is none or it has expired. */
export const getOwnExport = endpoint({
  name: 'getOwnExport',
  method: 'GET',
  path: '/users/me/export',
  summary: 'Progress of the export of your own data, and where to download it.',
  answer: z.object({ export: DataExport.nullable() }),
});

/** The last to leave first, at most 2,000. For owners. */
export const listFormerUsers = endpoint({
  name: 'listFormerUsers',
  method: 'GET',
  path: '/admin/teams/:teamId/former_users',
  summary: 'List users who left the team or were removed.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(FormerUser) }),
});

/**
 * Erases the team's data about a deactivated or former user, for owners; this can't be undone. `confirm` is the user's email
 * address (`users.wrong_confirmation`). An active user is refused with `users.still_active`. Repeated, the call returns the
 * progress.
 */
export const eraseUser = endpoint({
  name: 'eraseUser',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/erase',
  summary: 'Erase what names a user who left.',
  params: UserParams,
  body: z.object({ confirm: text(EMAIL_MAX).trim() }),
  answer: Erasure,
});

/** The last erased first, at most 2,000. For owners. */
export const listErasedUsers = endpoint({
  name: 'listErasedUsers',
  method: 'GET',
  path: '/admin/teams/:teamId/erased_users',
  summary: 'List erased users, and how far each erasure is.',
  params: z.object({ teamId: Id }),
  answer: z.object({ records: z.array(ErasedUser) }),
});
