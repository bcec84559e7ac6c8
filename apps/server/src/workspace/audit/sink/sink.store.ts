import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';

/** A sender loses its turn after this time without progress: longer than it may wait for the receiver. */
const TURN = sql`interval '30 seconds'`;

/**
 * Takes or extends the turn of a sender and returns the number of the last row that was sent; undefined while another
 * process has the turn. After a crash, the turn expires.
 */
export async function takeTurn(db: Database, holder: string): Promise<number | undefined> {
  const { rows } = await sql<{ number: number }>`
    insert into audit_sink (holder, held_until) values (${holder}, now() + ${TURN})
    on conflict (id) do update set holder = excluded.holder, held_until = excluded.held_until
      where audit_sink.holder = excluded.holder or audit_sink.held_until is null or audit_sink.held_until < now()
    returning number`.execute(db);
  return rows[0]?.number;
}

/** Records the last row that the receiver acknowledged; false if the turn was lost. */
export async function saveSent(
  db: Database,
  { holder, from, to }: { holder: string; from: number; to: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audit_sink')
    .set({ number: to, sent_at: sql<Date>`now()` })
    .where('holder', '=', holder)
    .where('number', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export async function endTurn(db: Database, holder: string): Promise<void> {
  await db.updateTable('audit_sink').set({ holder: null, held_until: null }).where('holder', '=', holder).execute();
}

export async function countUnsent(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce((select number from audit_server_head), 0) - coalesce((select number from audit_sink), 0)
      as count`.execute(db);
  return Math.max(0, Number(rows[0]?.count ?? 0));
}
