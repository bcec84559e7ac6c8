import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';
import { type Policy, resolvePolicy, type StoredPolicy } from './rule-schedule.rules.ts';

/** The rules of a team at a moment of the database's clock, in milliseconds. */
export interface TeamPolicies {
  timeZone: string;
  now: number;
  of: Readonly<Record<RetentionKind, Policy>>;
}

interface PolicyRow extends StoredPolicy {
  kind: string | null;
  time_zone: string;
  now: number;
}

/** The rules of a team, all kinds; undefined when there is no such team. */
export async function findPolicies(db: Database | Trx, teamId: string): Promise<TeamPolicies | undefined> {
  const { rows } = await sql<PolicyRow>`select t.time_zone, ${databaseNow} as now, p.kind, p.rule, p.waiting,
      ${toMilliseconds(sql.ref('p.effective_at'))} as effective_at
    from teams t left join retention_policies p on p.team_id = t.id where t.id = ${teamId}`.execute(db);
  const first = rows[0];
  if (first === undefined) return undefined;
  const stored = new Map(rows.map((row) => [row.kind, row]));
  const of = Object.fromEntries(
    RETENTION_KINDS.map((kind) => [kind, resolvePolicy(kind, stored.get(kind), first.now)]),
  );
  return { timeZone: first.time_zone, now: first.now, of: of as Record<RetentionKind, Policy> };
}

/** The database's clock, in milliseconds. */
export async function findClock(db: Database): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${databaseNow} as now`.execute(db);
  return rows[0]?.now ?? 0;
}

/** The rule of one kind, which nobody can save anew before this transaction ends, and the team's zone. */
export async function lockPolicy(
  trx: Trx,
  teamId: string,
  kind: RetentionKind,
): Promise<{ policy: Policy; timeZone: string } | undefined> {
  const { rows } = await sql<StoredPolicy & { now: number; time_zone: string }>`select p.rule, p.waiting, t.time_zone,
      ${toMilliseconds(sql.ref('p.effective_at'))} as effective_at, ${databaseNow} as now
    from retention_policies p join teams t on t.id = p.team_id
    where p.team_id = ${teamId} and p.kind = ${kind} for share of p`.execute(trx);
  const row = rows[0];
  return row && { policy: resolvePolicy(kind, row, row.now), timeZone: row.time_zone };
}

/** Writes the policy of a kind. */
export async function savePolicy(
  trx: Trx,
  { teamId, kind, savedBy }: { teamId: string; kind: RetentionKind; savedBy: string | null },
  { ruling, waiting }: Policy,
): Promise<void> {
  const rule = JSON.stringify(ruling ?? { value: 0 });
  const next = waiting && JSON.stringify(waiting.rule);
  const at = waiting && new Date(waiting.effectiveAt);
  await sql`insert into retention_policies (team_id, kind, rule, waiting, effective_at, saved_by)
    values (${teamId}, ${kind}, ${rule}, ${next}, ${at}, ${savedBy})
    on conflict (team_id, kind) do update set rule = excluded.rule, waiting = excluded.waiting,
      reminded = retention_policies.reminded and retention_policies.effective_at is not distinct from excluded.effective_at,
      effective_at = excluded.effective_at, saved_by = excluded.saved_by, saved_at = now()`.execute(trx);
}

/** A rule that waits and whose owners are to be told that its first run is near. */
export interface WaitingRule {
  team_id: string;
  kind: RetentionKind;
}

/** Rules that begin within so many hours, or have begun, and of which nobody was reminded. */
export async function listRulesToRemind(db: Database, hours: number): Promise<WaitingRule[]> {
  const { rows } = await sql<WaitingRule>`select team_id, kind from retention_policies
    where waiting is not null and not reminded and effective_at < clock_timestamp() + make_interval(hours => ${hours})
    order by team_id, kind limit 1000`.execute(db);
  return rows;
}

/** Notes that owners were reminded; false when somebody else did it, or the rule was taken back. */
export async function markReminded(trx: Trx, { team_id, kind }: WaitingRule): Promise<boolean> {
  const { rows } = await sql`update retention_policies set reminded = true
    where team_id = ${team_id} and kind = ${kind} and waiting is not null and not reminded returning 1`.execute(trx);
  return rows.length === 1;
}
