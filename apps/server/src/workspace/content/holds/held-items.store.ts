import type { HeldCount, RetentionKind } from '@steward/contract/retention/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { KIND_OF_CHANNEL, KIND_OF_RECORD } from '../retention/kind-of-content.rules.ts';
import { type ActiveHold, holdsOn } from './active-holds.rules.ts';
import { type HeldItems, isHeld, listActiveHolds } from './held.store.ts';

/** Tables of several kinds: the column that tells them apart, and the kind of each of its values. */
const KINDS = {
  messages: { column: 'channel_type', kinds: KIND_OF_CHANNEL },
  records: { column: 'kind', kinds: KIND_OF_RECORD },
} as const;

/** Whether an item of any kind in a table is held; undefined if no hold covers any. */
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

/** Kinds that the same holds cover, since each list of people that a statement reads costs time. */
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

/** Which of a source's stored items that it sends again are held: their external ids, of records after the kind and a space. */
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

/** Counts everything stored that each hold covers, whether or not a rule reaches it, by the id of the hold. */
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
