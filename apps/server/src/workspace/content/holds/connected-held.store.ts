import { CONNECTED_KINDS, KIND_OF_CONNECTED_CHANNEL } from '@steward/contract/connections/fields';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import type { ActiveHold } from './active-holds.rules.ts';

/**
 * Part of a statement: true for a message `m` of a connected server, in its channel `c`, that a hold covers. A hold without people
 * and channels covers messages there as it covers our own.
 */
export function isConnectedHeld(teamId: string, holds: readonly ActiveHold[]): RawBuilder<boolean> {
  const conditions = holds.filter(({ has_items }) => !has_items).map((hold) => isHeldBy(teamId, hold));
  return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function isHeldBy(teamId: string, hold: ActiveHold): RawBuilder<boolean> {
  const ofHold = sql`where team_id = ${teamId} and hold_id = ${hold.id}`;
  const kinds: readonly string[] = hold.settings.length === 0 ? CONNECTED_KINDS : hold.settings;
  const types = Object.entries(KIND_OF_CONNECTED_CHANNEL).flatMap(([type, kind]) =>
    kinds.includes(kind) ? [type] : [],
  );
  const isOfKind = sql`c.type = any(${types})`;
  const parts = [
    hold.settings.includes('files') ? sql`(${isOfKind} or cardinality(m.file_ids) > 0)` : isOfKind,
    ...(hold.from_at === null ? [] : [sql`m.created_at >= ${hold.from_at}`]),
    ...(hold.to_at === null ? [] : [sql`m.created_at < ${hold.to_at}`]),
  ];
  if (hold.has_channels)
    parts.push(
      sql`(m.server_id, m.channel_id) in (select server_id, channel_id from hold_connected_channels ${ofHold})`,
    );
  if (hold.has_people)
    parts.push(sql`((m.server_id, m.user_id) in (select server_id, user_id from hold_connected_users ${ofHold})
      or c.member_ids && array(select user_id from hold_connected_users ${ofHold})::text[])`);
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
}

/** Messages that the hold covers and whose deletion was begun before it was saved. */
export async function countBegunRows(trx: Trx, teamId: string, hold: ActiveHold): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count
    from connected_permits p join connected_orders o on o.id = p.order_id and o.team_id = ${teamId}
    join connected_messages m on m.server_id = p.server_id and m.id = any(p.row_ids)
    join connected_channels c on c.server_id = m.server_id and c.id = m.channel_id
    where p.begun_at is not null and p.closed_at is null and ${isHeldBy(teamId, hold)}`.execute(trx);
  return rows[0]?.count ?? 0;
}
