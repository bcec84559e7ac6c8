import { z } from 'zod';
import { EXPORT_JOB } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, text } from '../api/fields.ts';
import { HOLD_CHANNELS_MAX, HOLD_TEXT_MAX, HOLD_USERS_MAX } from '../api/limits.ts';
import { ConnectedId } from '../connections/fields.ts';
import { ExportState } from '../users/privacy.ts';
import { HeldCount, RETENTION_KINDS, RetentionKind } from './fields.ts';

const TeamParams = z.object({ teamId: Id });
const HoldParams = TeamParams.extend({ holdId: Id });

const Words = text(HOLD_TEXT_MAX).trim().min(1, 'is required');
const At = z.int().min(0).max(253_402_300_799_999).nullable();
const distinct = (ids: readonly string[]) => new Set(ids).size === ids.length;
const DISTINCT = 'must not name anything twice';

/** A hold keeps items that match all parts; an empty list and null match everything. */
const scope = {
  /** Authors, and members of direct channels. */
  user_ids: z.array(Id).max(HOLD_USERS_MAX).refine(distinct, DISTINCT),
  channel_ids: z.array(Id).max(HOLD_CHANNELS_MAX).refine(distinct, DISTINCT),
  /** The same of connected servers: authors, and members of direct channels there. */
  connected_user_ids: z.array(ConnectedId).max(HOLD_USERS_MAX).refine(distinct, DISTINCT),
  connected_channel_ids: z.array(ConnectedId).max(HOLD_CHANNELS_MAX).refine(distinct, DISTINCT),
  settings: z.array(RetentionKind).max(RETENTION_KINDS.length).refine(distinct, DISTINCT),
  /** Dates in milliseconds: `from` inclusive, `to` exclusive. */
  from: At,
  to: At,
};
const ORDER = { path: ['to'], error: 'must be after from' };
const isOrdered = ({ from, to }: { from?: number | null | undefined; to?: number | null | undefined }) =>
  from == null || to == null || from < to;

/** Only for the owner who requested the export. */
const HoldExport = z.object({
  id: Id,
  state: ExportState,
  /** Address of the file until it expires; null unless the export is done. */
  url: z.string().nullable(),
  /** SHA-256 of the file; '' until it is done. */
  sha256: z.string(),
  size: z.int(),
  requested_at: z.int(),
  expires_at: z.int(),
});

/** A legal hold: content that no rule deletes until it is released. */
export const Hold = z.object({
  id: Id,
  name: z.string(),
  reason: z.string(),
  ...scope,
  /** Names of the first three users; '' for a user without a name. */
  user_names: z.array(z.string()),
  /** Names of the first three channels; '' for a channel that the caller can't see. */
  channel_names: z.array(z.string()),
  connected_user_names: z.array(z.string()),
  /** '' for private and direct channels. */
  connected_channel_names: z.array(z.string()),
  /**
   * In the response of a change: messages at connected servers that it covers and whose deletion was begun before; 0 otherwise.
   */
  begun: z.int(),
  /**
   * All stored items that the hold covers, whether or not a rule would delete them, at most a minute old; 0 after its end. Null in
   * the response of a change, which doesn't wait for the count.
   */
  held: HeldCount.nullable(),
  created_at: z.int(),
  /** '' for an automatic hold. */
  created_by: z.string(),
  created_by_name: z.string(),
  /** Created by the server to keep items that were restored. */
  automatic: z.boolean(),
  /** The run whose items it keeps; '' for other holds. */
  run_id: z.string(),
  /** Time at which a release takes effect; null until the hold is released. */
  release_at: z.int().nullable(),
  /** Null while the hold is active. */
  released_at: z.int().nullable(),
  /** The newest export that the caller requested; null if there is none. */
  export: HoldExport.nullable(),
});
export type Hold = z.infer<typeof Hold>;

/** Active holds first, each group newest first. */
export const listHolds = endpoint({
  name: 'listHolds',
  method: 'GET',
  path: '/admin/teams/:teamId/holds',
  summary: 'Legal holds of the team, active ones first.',
  params: TeamParams,
  answer: z.object({ records: z.array(Hold) }),
});

/**
 * Without any user, channel and setting the hold covers the whole team, and `confirm` must be the team's name
 * (`holds.confirm`).
 */
export const addHold = endpoint({
  name: 'addHold',
  method: 'POST',
  path: '/admin/teams/:teamId/holds',
  summary: 'Create a legal hold.',
  params: TeamParams,
  body: z
    .object({
      name: Words,
      reason: Words,
      user_ids: scope.user_ids.default([]),
      channel_ids: scope.channel_ids.default([]),
      connected_user_ids: scope.connected_user_ids.default([]),
      connected_channel_ids: scope.connected_channel_ids.default([]),
      settings: scope.settings.default([]),
      from: scope.from.default(null),
      to: scope.to.default(null),
      confirm: z.string().max(1_000).optional(),
    })
    .refine(isOrdered, ORDER),
  answer: Hold,
});

/**
 * Renames or widens a hold, and cancels its release; absent fields are unchanged. Refuses to narrow it (`holds.narrower`): release
 * it and create another one. Refuses after its end (`holds.released`).
 */
export const saveHold = endpoint({
  name: 'saveHold',
  method: 'PUT',
  path: '/admin/teams/:teamId/holds/:holdId',
  summary: 'Rename or widen a legal hold; cancels its release.',
  params: HoldParams,
  body: z
    .object({
      name: Words.optional(),
      reason: Words.optional(),
      user_ids: scope.user_ids.optional(),
      channel_ids: scope.channel_ids.optional(),
      connected_user_ids: scope.connected_user_ids.optional(),
      connected_channel_ids: scope.connected_channel_ids.optional(),
      settings: scope.settings.optional(),
      from: At.optional(),
      to: At.optional(),
      confirm: z.string().max(1_000).optional(),
    })
    .refine(isOrdered, ORDER),
  answer: Hold,
});

/** An automatic hold ends at once, others after 24 hours. Owners get an email. */
export const releaseHold = endpoint({
  name: 'releaseHold',
  method: 'POST',
  path: '/admin/teams/:teamId/holds/:holdId/release',
  summary: 'Release a legal hold; it ends after 24 hours.',
  params: HoldParams,
  body: z.object({ reason: Words }),
  answer: Hold,
});

/** The export is a ZIP archive. */
export const exportHold = endpoint({
  name: 'exportHold',
  costs: [EXPORT_JOB],
  method: 'POST',
  path: '/admin/teams/:teamId/holds/:holdId/export',
  summary: 'Export what a legal hold keeps.',
  params: HoldParams,
  body: z.object({ reason: Words }),
  answer: z.object({ id: Id }),
});

export const getHoldExport = endpoint({
  name: 'getHoldExport',
  method: 'GET',
  path: '/admin/teams/:teamId/holds/:holdId/exports/:exportId',
  summary: 'State of the export of a legal hold.',
  params: HoldParams.extend({ exportId: Id }),
  answer: HoldExport,
});
