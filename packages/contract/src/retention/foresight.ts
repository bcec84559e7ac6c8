import { z } from 'zod';
import { EXPORT, FORECAST } from '../api/costs.ts';
import { endpoint } from '../api/endpoint.ts';
import { Id, LastKey, listAnswer, listQuery, Moment, wholeNumber } from '../api/fields.ts';
import { FORECAST_NIGHTS, FORECAST_NIGHTS_MAX } from '../api/limits.ts';
import { RetentionKind } from './fields.ts';
import { isMarkable } from './rules.ts';

const TeamParams = z.object({ teamId: Id });

/** `clock` is the date that items are counted by, by default the one of the current rule. */
const setting = {
  setting: RetentionKind,
  clock: z.enum(['own', 'marked']).optional(),
};
const MARKED: [
  (query: { setting: RetentionKind; clock?: string | undefined }) => boolean,
  { path: string[]; error: string },
] = [
  ({ setting: kind, clock }) => clock !== 'marked' || isMarkable(kind),
  { path: ['clock'], error: 'can only be marked for items that users can mark deleted' },
];

const Counted = z.object({
  count: z.int(),
  bytes: z.int(),
  /** Items that a legal hold keeps; not in `count`. */
  held: z.int(),
});

/** Stored items of a kind by the month of their date, oldest first. Months without items are absent. */
export const Ages = z.object({
  /** The date that items were counted by. */
  clock: z.enum(['own', 'marked']),
  months: z.array(
    Counted.extend({
      /** `YYYY-MM` in the team's time zone. Items that are over a hundred years older than the newest count in the first month. */
      month: z.string(),
    }),
  ),
});
export type Ages = z.infer<typeof Ages>;

/** Items without the date are not counted. Cached for a minute. */
export const getRetentionAges = endpoint({
  name: 'getRetentionAges',
  costs: [FORECAST],
  method: 'GET',
  path: '/admin/teams/:teamId/retention/ages',
  summary: 'How much is stored of a kind, by month.',
  params: TeamParams,
  query: z.object(setting).refine(...MARKED),
  answer: Ages,
});

export const Forecast = z.object({
  records: z.array(
    z.object({
      /** Date in the team's time zone. */
      night: z.string(),
      /** Start of its runs, in milliseconds. */
      at: z.int(),
      /** Only kinds of which something is deleted in that night. */
      settings: z.partialRecord(RetentionKind, Counted),
    }),
  ),
  total: Counted,
});
export type Forecast = z.infer<typeof Forecast>;

/**
 * Forecasts what each nightly run will delete under the current rules, and under scheduled ones from the first night after
 * they take effect, of what is stored now. The first night includes what is overdue. Cached for a minute.
 */
export const getRetentionForecast = endpoint({
  name: 'getRetentionForecast',
  costs: [FORECAST],
  method: 'GET',
  path: '/admin/teams/:teamId/retention/forecast',
  summary: 'What the nightly runs of the next days will delete.',
  params: TeamParams,
  query: z.object({ days: wholeNumber(1, FORECAST_NIGHTS_MAX).default(FORECAST_NIGHTS) }),
  answer: Forecast,
});

/** An item that is due for deletion, without its content. */
export const DueItem = z.object({
  id: Id,
  /** The date that its rule counts from, in milliseconds. */
  clock: z.int(),
  /** '' outside any channel. */
  channel_id: z.string(),
  /** '' also for a channel that the caller can't see. */
  channel_name: z.string(),
  /** '' if no user created it. */
  author_id: z.string(),
  author_name: z.string(),
  bytes: z.int(),
});
export type DueItem = z.infer<typeof DueItem>;

/** Items that a preview with this cutoff counts, oldest first. */
export const listDueItems = endpoint({
  name: 'listDueItems',
  costs: [EXPORT],
  method: 'GET',
  path: '/admin/teams/:teamId/retention/items',
  summary: 'Items of a kind with a date before a cutoff.',
  params: TeamParams,
  query: z
    .object({ ...setting, cutoff: Moment, last_key: LastKey.optional(), limit: listQuery.limit })
    .refine(...MARKED),
  answer: listAnswer(DueItem),
});
