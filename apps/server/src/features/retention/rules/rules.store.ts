import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow } from '#platform/database/milliseconds.ts';
import type { RuleState } from '#workspace/content/retention/rule-schedule.rules.ts';

/** In milliseconds. */
export async function findClock(db: Database): Promise<number> {
  const { now } = await db.selectNoFrom(databaseNow.$notNull().as('now')).executeTakeFirstOrThrow();
  return now;
}

/** Writes the rule of a kind. A new time of the scheduled rule resets its reminder. */
export async function saveRule(
  trx: Trx,
  { teamId, kind, savedBy }: { teamId: string; kind: RetentionKind; savedBy: string | null },
  { current, scheduled }: RuleState,
): Promise<void> {
  const rule = JSON.stringify(current ?? { value: 0 });
  const next = scheduled && JSON.stringify(scheduled.rule);
  const at = scheduled && new Date(scheduled.effectiveAt);
  await sql`insert into retention_policies (team_id, kind, rule, waiting, effective_at, saved_by, rule_saved_at)
    values (${teamId}, ${kind}, ${rule}, ${next}, ${at}, ${savedBy}, clock_timestamp())
    on conflict (team_id, kind) do update set rule = excluded.rule, waiting = excluded.waiting,
      reminded = retention_policies.reminded and retention_policies.effective_at is not distinct from excluded.effective_at,
      rule_saved_at = case when excluded.waiting is null then excluded.rule_saved_at
        when retention_policies.effective_at <= clock_timestamp()
          then retention_policies.effective_at - make_interval(secs => ${RETENTION_WAIT_MS / 1_000})
        else retention_policies.rule_saved_at end,
      effective_at = excluded.effective_at, saved_by = excluded.saved_by, saved_at = now()`.execute(trx);
}

export interface DueReminder {
  team_id: string;
  kind: RetentionKind;
}

/** Includes rules that have already taken effect. */
export async function listDueReminders(db: Database, hours: number): Promise<DueReminder[]> {
  const rows = await db
    .selectFrom('retention_policies')
    .where('waiting', 'is not', null)
    .where('reminded', '=', false)
    .where('effective_at', '<', sql<Date>`clock_timestamp() + make_interval(hours => ${hours})`)
    .select(['team_id', 'kind'])
    .orderBy('team_id')
    .orderBy('kind')
    .limit(1000)
    .execute();
  return rows as DueReminder[];
}

/** Returns false if another node sent the reminder, or the rule was canceled. */
export async function markReminded(trx: Trx, { team_id, kind }: DueReminder): Promise<boolean> {
  const rows = await trx
    .updateTable('retention_policies')
    .set({ reminded: true })
    .where('team_id', '=', team_id)
    .where('kind', '=', kind)
    .where('waiting', 'is not', null)
    .where('reminded', '=', false)
    .returning('kind')
    .execute();
  return rows.length === 1;
}
