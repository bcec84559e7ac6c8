import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import type { ActiveHold } from './active-holds.rules.ts';

/** The holds of a team that are in effect at this moment of the database's clock. */
export async function listActiveHolds(db: Database | Trx, teamId: string): Promise<ActiveHold[]> {
  const { rows } = await sql<ActiveHold>`select id, version, settings, from_at, to_at, has_people, has_channels,
      run_id is not null as has_items, ${toMilliseconds(sql.ref('release_at'))} as release_at
    from holds where team_id = ${teamId} and (release_at is null or release_at > clock_timestamp())
    order by id`.execute(db);
  return rows;
}

/** The tables with content, and the column of each item's own date. */
const CLOCK = { messages: 'create_at', files: 'create_at', records: 'clock' } as const;

/** The items of a table, and the name that the statement has for the table; its own by default. */
export interface HeldItems {
  table: keyof typeof CLOCK;
  alias?: string;
}

/**
 * Whether an item is held; undefined without any hold, so that statements of teams without holds stay as they are. All holds
 * with lists of a sort share one list, which PostgreSQL hashes once for a statement; only what is in it is looked up hold by
 * hold, where holds differ otherwise. A lookup for each item took three times as long.
 */
export function isHeld(
  teamId: string,
  holds: readonly ActiveHold[],
  items: HeldItems,
): RawBuilder<boolean> | undefined {
  const conditions = groupHolds(holds).flatMap((group) => toCondition(teamId, group, items) ?? []);
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Holds with the same sorts of lists; those without any, by their dates. */
function groupHolds(holds: readonly ActiveHold[]): ActiveHold[][] {
  const groups = new Map<string, ActiveHold[]>();
  for (const hold of holds) {
    const { has_people, has_channels, has_items, from_at, to_at } = hold;
    const lists = [has_people, has_channels, has_items];
    const key = JSON.stringify(lists.includes(true) ? lists : [...lists, from_at, to_at]);
    groups.set(key, [...(groups.get(key) ?? []), hold]);
  }
  return [...groups.values()];
}

/** A group of holds, and the columns of the items. */
interface Group {
  teamId: string;
  ids: readonly string[];
  first: ActiveHold;
  column: (name: string) => RawBuilder<unknown>;
  clock: RawBuilder<unknown>;
  /** Undefined for records, which belong to no channel. */
  channel: RawBuilder<unknown> | undefined;
}

function toCondition(
  teamId: string,
  holds: readonly ActiveHold[],
  { table, alias = table }: HeldItems,
): RawBuilder<boolean> | undefined {
  const [first] = holds;
  if (first === undefined) return undefined;
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const channel = table === 'records' ? undefined : column('channel_id');
  // Content without a channel fits no list of channels.
  if (first.has_channels && channel === undefined) return undefined;
  const group: Group = { teamId, ids: holds.map(({ id }) => id), first, column, channel, clock: column(CLOCK[table]) };
  const dates = new Set(holds.map(({ from_at, to_at }) => `${from_at} ${to_at}`));
  const isEach = holds.length === 1 || (dates.size === 1 && !(first.has_people && first.has_channels));
  const parts = [...listParts(group), ...(isEach ? dateParts(group) : [isInOneOf(group)])];
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/** Whether the item is in the lists that the holds have together. */
function listParts({ teamId, ids, first, column, channel }: Group): RawBuilder<unknown>[] {
  const listed = (list: string, name: string) =>
    sql`select ${sql.ref(name)} from ${sql.table(list)} where team_id = ${teamId} and hold_id = any(${ids})`;
  const parts: RawBuilder<unknown>[] = [];
  if (first.has_items) parts.push(sql`${column('id')} in (${listed('hold_items', 'item_id')})`);
  if (first.has_channels) parts.push(sql`${channel} in (${listed('hold_channels', 'channel_id')})`);
  if (first.has_people) {
    const isTheirs = sql`${column('user_id')} in (${listed('hold_people', 'person_id')})`;
    const isAmongThem = channel && sql`${channel} in (${listed('hold_direct_channels', 'channel_id')})`;
    parts.push(isAmongThem === undefined ? isTheirs : sql`(${isTheirs} or ${isAmongThem})`);
  }
  return parts;
}

/** Whether the item is within the dates of the holds, which are the same. */
function dateParts({ first: { from_at, to_at }, clock }: Group): RawBuilder<unknown>[] {
  return [
    ...(from_at === null ? [] : [sql`${clock} >= ${from_at}`]),
    ...(to_at === null ? [] : [sql`${clock} < ${to_at}`]),
  ];
}

/** Whether there is one hold among them whose lists and dates the item all fits. */
function isInOneOf({ teamId, ids, first, column, clock, channel }: Group): RawBuilder<unknown> {
  const naming = (list: string, name: string, value: RawBuilder<unknown>) =>
    sql`select hold_id from ${sql.table(list)} where team_id = ${teamId} and ${sql.ref(name)} = ${value}`;
  const lists: RawBuilder<unknown>[] = [];
  if (first.has_items) lists.push(naming('hold_items', 'item_id', column('id')));
  if (first.has_channels && channel) lists.push(naming('hold_channels', 'channel_id', channel));
  if (first.has_people) {
    const theirs = naming('hold_people', 'person_id', column('user_id'));
    lists.push(channel ? sql`${theirs} union all ${naming('hold_direct_channels', 'channel_id', channel)}` : theirs);
  }
  const isInLists = lists.map((list) => sql`h.id in (${list})`);
  return sql`exists (select 1 from holds h where h.team_id = ${teamId} and h.id = any(${ids})
    and (h.from_at is null or h.from_at <= ${clock}) and (h.to_at is null or ${clock} < h.to_at)
    and ${sql.join(isInLists, sql` and `)})`;
}
