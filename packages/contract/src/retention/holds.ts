import { z } from 'zod';
import { EXPORT_JOB } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, text } from '../api/fields.ts';
import { HOLD_CHANNELS_MAX, HOLD_PEOPLE_MAX, HOLD_TEXT_MAX } from '../api/limits.ts';
import { ExportState } from '../users/privacy.ts';
import { HeldCount, RETENTION_KINDS, RetentionKind } from './fields.ts';

const TeamParams = z.object({ teamId: Id });
const HoldParams = TeamParams.extend({ holdId: Id });

const Words = text(HOLD_TEXT_MAX).trim().min(1, 'is required');
const At = z.int().min(0).max(253_402_300_799_999).nullable();
const distinct = (ids: readonly string[]) => new Set(ids).size === ids.length;
const DISTINCT = 'must not name anything twice';

/** What a hold keeps: what fits all parts; an empty list and null mean everything. */
const scope = {
  /** Authors, and members of direct channels. */
  user_ids: z.array(Id).max(HOLD_PEOPLE_MAX).refine(distinct, DISTINCT),
  channel_ids: z.array(Id).max(HOLD_CHANNELS_MAX).refine(distinct, DISTINCT),
  settings: z.array(RetentionKind).max(RETENTION_KINDS.length).refine(distinct, DISTINCT),
  /** Dates in milliseconds: `from` inclusive, `to` exclusive. */
  from: At,
  to: At,
};
const ORDER = { path: ['to'], error: 'must be after from' };
const isOrdered = ({ from, to }: { from?: number | null | undefined; to?: number | null | undefined }) =>
  from == null || to == null || from < to;

/** An export of what a hold covers, for the owner who requested it. */
const HoldExport = z.object({
  id: Id,
  state: ExportState,
  /** Where the file is until it expires; null unless the export is done. */
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
  /** Names of the first three users; '' of one without a name. */
  user_names: z.array(z.string()),
  /** Names of the first three channels; '' of one that the reader doesn't see. */
  channel_names: z.array(z.string()),
  /**
   * Everything stored that it covers, whether or not a rule reaches it, at most a minute old; 0 after its end. Null in the answer of a
   * change, which doesn't wait for the count.
   */
  held: HeldCount.nullable(),
  created_at: z.int(),
  /** '' for a hold that the server made. */
  created_by: z.string(),
  created_by_name: z.string(),
  /** Made by the server to keep what a run's restore brought back. */
  automatic: z.boolean(),
  /** The run whose items it keeps; '' for other holds. */
  run_id: z.string(),
  /** When a release takes effect; null until it is released. */
  release_at: z.int().nullable(),
  /** When it ended; null while it keeps anything. */
  released_at: z.int().nullable(),
  /** The newest export that the reader requested; null without any. */
  export: HoldExport.nullable(),
});
export type Hold = z.infer<typeof Hold>;

/** Holds of a team, active ones first, each group newest first. */
export const listHolds = endpoint({
  name: 'listHolds',
  method: 'GET',
  path: '/admin/teams/:teamId/holds',
  summary: 'Legal holds of the team, active ones first.',
  params: TeamParams,
  answer: z.object({ records: z.array(Hold) }),
});

/**
 * Creates a hold. Without any user, channel and setting it is over the whole team, and `confirm` must be the team's name
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
      settings: scope.settings.default([]),
      from: scope.from.default(null),
      to: scope.to.default(null),
      confirm: z.string().max(1_000).optional(),
    })
    .refine(isOrdered, ORDER),
  answer: Hold,
});

/**
 * Renames or widens a hold, and cancels its release; what is absent stays as it is. Refuses to narrow it (`holds.narrower`): release it and create another.
 * Refuses after its end (`holds.released`).
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
      settings: scope.settings.optional(),
      from: At.optional(),
      to: At.optional(),
      confirm: z.string().max(1_000).optional(),
    })
    .refine(isOrdered, ORDER),
  answer: Hold,
});

/** Releases a hold after 24 hours, an automatic one at once. Owners get an email. */
export const releaseHold = endpoint({
  name: 'releaseHold',
  method: 'POST',
  path: '/admin/teams/:teamId/holds/:holdId/release',
  summary: 'Release a legal hold; it ends after 24 hours.',
  params: HoldParams,
  body: z.object({ reason: Words }),
  answer: Hold,
});

/** Starts the export of what a hold keeps, as a ZIP archive. */
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

/** State of an export; `url` while it can be downloaded. */
export const getHoldExport = endpoint({
  name: 'getHoldExport',
  method: 'GET',
  path: '/admin/teams/:teamId/holds/:holdId/exports/:exportId',
  summary: 'State of the export of a legal hold.',
  params: HoldParams.extend({ exportId: Id }),
  answer: HoldExport,
});
