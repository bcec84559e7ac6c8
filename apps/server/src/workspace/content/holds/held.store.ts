import type { HeldCount, RetentionKind } from '@steward/contract/retention/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { KIND_OF_CHANNEL, KIND_OF_RECORD } from '../retention/retention-scope.rules.ts';
import { type ActiveHold, holdsOn } from './active-holds.rules.ts';

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
 * A condition for held items; undefined without any hold, so that statements of teams without holds stay as they are.
 * All holds with lists of a sort share one list, which PostgreSQL hashes once for a statement; only items in it are
 * looked up hold by hold, if holds differ otherwise. A lookup for each item took three times as long.
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

/** Conditions for the lists that the holds have together. */
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

/** Conditions for the dates of the holds, which are the same. */
function dateParts({ first: { from_at, to_at }, clock }: Group): RawBuilder<unknown>[] {
  return [
    ...(from_at === null ? [] : [sql`${clock} >= ${from_at}`]),
    ...(to_at === null ? [] : [sql`${clock} < ${to_at}`]),
  ];
}

/** A condition for items that fit the lists and dates of at least one hold. */
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

/** Tables of several kinds: the column that tells them apart, and the kind of each of its values. */
const KINDS = {
  messages: { column: 'channel_type', kinds: KIND_OF_CHANNEL },
  records: { column: 'kind', kinds: KIND_OF_RECORD },
} as const;

/** The condition for items of any kind in a table; undefined if no hold covers any. */
function isHeldInTable(
  teamId: string,
  holds: readonly ActiveHold[],
  items: HeldItems,
): RawBuilder<boolean> | undefined {
  const { table, alias = table } = items;
  if (table === 'files') return isHeld(teamId, holdsOn('files', holds), items);
  const { column, kinds } = KINDS[table];
  const conditions = groupByHolds(kinds, holds).flatMap(({ values, holds: theirs }) => {
    const held = isHeld(teamId, theirs, items);
    return held === undefined ? [] : [sql`(${sql.ref(`${alias}.${column}`)} = any(${values}) and ${held})`];
  });
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Groups kinds that the same holds cover, since each list of people that a statement reads costs time. */
function groupByHolds(kinds: Readonly<Record<string, RetentionKind>>, holds: readonly ActiveHold[]) {
  const groups = new Map<string, { values: string[]; holds: ActiveHold[] }>();
  for (const [value, kind] of Object.entries(kinds)) {
    const theirs = holdsOn(kind, holds);
    const key = theirs.map(({ id }) => id).join();
    const group = groups.get(key) ?? { values: [], holds: theirs };
    group.values.push(value);
    groups.set(key, group);
  }
  return [...groups.values()];
}

const TABLES = ['messages', 'files', 'records'] as const;

/** Items of a source, by table. Records have the same external id in different kinds. */
export type SentItems = Readonly<
  Record<'messages' | 'files', readonly { external_id: string }[]> & {
    records: readonly { kind: string; external_id: string }[];
  }
>;

/**
 * Finds held items among those that a source sends again: their external ids, of records after the kind and a space.
 */
export async function findHeldAmong(
  trx: Trx,
  { teamId, sourceId, holds }: { teamId: string; sourceId: string; holds: readonly ActiveHold[] },
  sent: SentItems,
): Promise<Record<(typeof TABLES)[number], ReadonlySet<string>>> {
  const find = async (table: (typeof TABLES)[number]) => {
    const held = isHeldInTable(teamId, holds, { table });
    const ids = sent[table].map(({ external_id }) => external_id);
    if (held === undefined || ids.length === 0) return new Set<string>();
    const key = table === 'records' ? sql`kind || ' ' || external_id` : sql`external_id`;
    const { rows } = await sql<{ key: string }>`select ${key} as key from ${sql.table(table)}
      where team_id = ${teamId} and source_id = ${sourceId} and external_id = any(${ids}) and ${held}`.execute(trx);
    return new Set(rows.map((row) => row.key));
  };
  return { messages: await find('messages'), files: await find('files'), records: await find('records') };
}

/** The held items in the next page of a table, which is walked by id; records by kind and id, `after` being both with a space. */
export async function listHeldInPage(
  trx: Trx,
  { teamId, table }: { teamId: string; table: (typeof TABLES)[number] },
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const held = isHeldInTable(teamId, await listActiveHolds(trx, teamId), { table, alias: 'paged' });
  if (held === undefined) return [];
  const [kind = '', id = ''] = after.split(' ');
  const isAfter = table === 'records' ? sql`(kind, id) > (${kind}, ${id})` : sql`id > ${after}`;
  const order = table === 'records' ? sql`kind, id` : sql`id`;
  const { rows } = await sql<{ id: string }>`select id from (select * from ${sql.table(table)}
      where team_id = ${teamId} and ${isAfter} order by ${order} limit ${limit}) paged where ${held}`.execute(trx);
  return rows.map((row) => row.id);
}

/** Counts all stored items that each hold covers, reached by a rule or not, by the id of the hold. */
export async function countHeldByHold(
  db: Database,
  teamId: string,
  holds: readonly ActiveHold[],
): Promise<Map<string, HeldCount>> {
  const counts = new Map(holds.map(({ id }) => [id, { count: 0, bytes: 0 }]));
  for (const table of TABLES) {
    // One scan of the table for all holds.
    const covering = holds.flatMap((hold) => {
      const held = isHeldInTable(teamId, [hold], { table });
      return held === undefined ? [] : [{ id: hold.id, held }];
    });
    if (covering.length === 0) continue;
    const columns = covering.map(
      ({ held }) => sql`count(*) filter (where ${held}), coalesce(sum(size) filter (where ${held}), 0)`,
    );
    const { rows } = await sql<{ counts: string[] }>`select array[${sql.join(columns)}]::text[] as counts
      from ${sql.table(table)} where team_id = ${teamId}`.execute(db);
    const numbers = (rows[0]?.counts ?? []).map(Number);
    for (const [at, { id }] of covering.entries()) {
      const sum = counts.get(id);
      if (sum === undefined) continue;
      sum.count += numbers[at * 2] ?? 0;
      sum.bytes += numbers[at * 2 + 1] ?? 0;
    }
  }
  return counts;
}
