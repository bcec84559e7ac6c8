import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionClock } from '@steward/contract/retention/rules';
import { type RawBuilder, sql } from 'kysely';
import { CLOCKS } from './expiry.store.ts';

/** Where the items of a kind are stored. */
export type ItemPlace =
  | { table: 'messages'; type: ChannelType }
  | { table: 'files' }
  | { table: 'records'; kind: RecordKind };

/** The items of a place and the columns of their dates; no record can be marked deleted. */
interface PlaceItems {
  from: RawBuilder<unknown>;
  dates: { own: RawBuilder<unknown>; marked?: RawBuilder<unknown> };
}

/** All items of a place that have a date of their own. */
export function getItems(place: ItemPlace, teamId: string): PlaceItems {
  if (place.table === 'records') {
    const from = sql`from records where team_id = ${teamId} and kind = ${place.kind} and clock is not null`;
    return { from, dates: { own: sql.ref('clock') } };
  }
  const dates = { own: CLOCKS.own.column, marked: CLOCKS.marked.column };
  if (place.table === 'files') return { from: sql`from files where team_id = ${teamId}`, dates };
  return { from: sql`from messages where team_id = ${teamId} and channel_type = ${place.type}`, dates };
}

/** The items of a place that have a clock, and the column with it; undefined where no item has that clock. */
export function getItemsWith(
  place: ItemPlace,
  { teamId, clock }: { teamId: string; clock: RetentionClock },
): { from: RawBuilder<unknown>; column: RawBuilder<unknown> } | undefined {
  const { from, dates } = getItems(place, teamId);
  const column = dates[clock];
  if (column === undefined) return undefined;
  return { from: clock === 'marked' ? sql`${from} and ${CLOCKS.marked.hasClock}` : from, column };
}
