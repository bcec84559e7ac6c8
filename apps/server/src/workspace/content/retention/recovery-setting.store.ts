import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';
import { type RecoveryState, resolveRecovery } from './recovery-setting.rules.ts';

/** `now` is the clock of the database in milliseconds. */
export async function findRecovery(db: Database | Trx, teamId: string): Promise<{ state: RecoveryState; now: number }> {
  const row = await db
    .selectFrom('retention_recovery')
    .select(['days', 'waiting_days', toMilliseconds(sql.ref('effective_at')).as('effective_at')])
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  const { now } = await db.selectNoFrom(databaseNow.$notNull().as('now')).executeTakeFirstOrThrow();
  return { state: resolveRecovery(row, now), now };
}

export async function saveRecovery(
  trx: Trx,
  { teamId, savedBy }: { teamId: string; savedBy: string },
  { current, scheduled }: RecoveryState,
): Promise<void> {
  const at = scheduled && new Date(scheduled.effectiveAt);
  await sql`insert into retention_recovery (team_id, days, waiting_days, effective_at, saved_by)
    values (${teamId}, ${current}, ${scheduled?.days ?? null}, ${at}, ${savedBy})
    on conflict (team_id) do update set days = excluded.days, waiting_days = excluded.waiting_days,
      effective_at = excluded.effective_at, saved_by = excluded.saved_by, saved_at = now()`.execute(trx);
}
