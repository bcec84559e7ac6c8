import {
  COUNTS_PER_MINUTE,
  EXPORTS_PER_MINUTE,
  FORECASTS_PER_MINUTE,
  PAGE_ROWS,
  SEARCHES_PER_MINUTE,
} from './limits.ts';

/** Kinds of expensive calls, and how many of each kind a user may make in a team within a minute. */
export const COSTS = {
  search: SEARCHES_PER_MINUTE,
  count: COUNTS_PER_MINUTE,
  forecast: FORECASTS_PER_MINUTE,
  export: EXPORTS_PER_MINUTE,
} as const;
export type CostKind = keyof typeof COSTS;

/** The kind that a call counts as. With `when`, it depends on the parsed query or body. */
export interface Cost {
  kind: CostKind;
  when?: (call: { query: unknown; body: unknown }) => boolean;
}

const has = (part: unknown, name: string, value: unknown) =>
  typeof part === 'object' && part !== null && (part as Record<string, unknown>)[name] === value;
const get = (part: unknown, name: string) => (part as Record<string, unknown> | undefined)?.[name];

export const SEARCH: Cost = { kind: 'search', when: ({ query }) => (get(query, 'search') ?? '') !== '' };
/** The first page of an export: screens ask for shorter pages, and the next pages of an export aren't counted. */
export const EXPORT: Cost = {
  kind: 'export',
  when: ({ query }) => Number(get(query, 'limit') ?? 0) > PAGE_ROWS && get(query, 'last_key') === undefined,
};
export const EXPORT_JOB: Cost = { kind: 'export' };
/** A call that only counts, or says what another call would do. */
export const COUNT: Cost = { kind: 'count' };
/** A call that reads the date of every stored item. */
export const FORECAST: Cost = { kind: 'forecast' };
/** A change that only says what it would do. */
export const PREVIEW: Cost = {
  kind: 'count',
  when: ({ query, body }) => has(query, 'preview', '1') || has(body, 'dry_run', true),
};
