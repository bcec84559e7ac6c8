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
 * Whether an item is held; undefined without any hold, so that statements of teams without holds stay as they are. Holds with
 * the same dates share one list, which PostgreSQL hashes once for a statement: a lookup for each item took three times as long.
 */
export function isHeld(
  teamId: string,
  holds: readonly ActiveHold[],
  items: HeldItems,
): RawBuilder<boolean> | undefined {
  const conditions = groupHolds(holds).flatMap((group) => toCondition(teamId, group, items) ?? []);
  return conditions.length === 0 ? undefined : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Holds that can be looked up together: with both people and channels, an item has to fit both of the same hold. */
function groupHolds(holds: readonly ActiveHold[]): ActiveHold[][] {
  const groups = new Map<string, ActiveHold[]>();
  for (const hold of holds) {
    const { id, from_at, to_at, has_people, has_channels, has_items } = hold;
    const alone = has_people && has_channels ? id : '';
    const key = JSON.stringify([from_at, to_at, has_people, has_channels, has_items, alone]);
    groups.set(key, [...(groups.get(key) ?? []), hold]);
  }
  return [...groups.values()];
}

function toCondition(
  teamId: string,
  group: readonly ActiveHold[],
  { table, alias = table }: HeldItems,
): RawBuilder<boolean> | undefined {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  // Records belong to no channel.
  const channel = table === 'records' ? undefined : column('channel_id');
  const [first] = group;
  if (first === undefined) return undefined;
  const ids = group.map((hold) => hold.id);
  const listed = (list: string, name: string) =>
    sql`select ${sql.ref(name)} from ${sql.table(list)} where team_id = ${teamId} and hold_id = any(${ids})`;
  const parts: RawBuilder<unknown>[] = [];
  if (first.from_at !== null) parts.push(sql`${column(CLOCK[table])} >= ${first.from_at}`);
  if (first.to_at !== null) parts.push(sql`${column(CLOCK[table])} < ${first.to_at}`);
  if (first.has_items) parts.push(sql`${column('id')} in (${listed('hold_items', 'item_id')})`);
  if (first.has_channels) {
    // Content without a channel fits no list of channels.
    if (channel === undefined) return undefined;
    parts.push(sql`${channel} in (${listed('hold_channels', 'channel_id')})`);
  }
  if (first.has_people) {
    const isTheirs = sql`${column('user_id')} in (${listed('hold_people', 'person_id')})`;
    const isAmongThem = channel && sql`${channel} in (${listed('hold_direct_channels', 'channel_id')})`;
    parts.push(isAmongThem === undefined ? isTheirs : sql`(${isTheirs} or ${isAmongThem})`);
  }
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}
