import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';
import { type ActiveHold, holdsOn } from '../holds/active-holds.rules.ts';
import { listActiveHolds } from '../holds/held.store.ts';
import { getSavedAt, type RuleState, resolveRule, type StoredRule, type TeamRules } from './rule-schedule.rules.ts';

const columns = ['retention_policies.rule', 'retention_policies.waiting', 'teams.time_zone'] as const;
const instants = [
  toMilliseconds(sql.ref('retention_policies.effective_at')).as('effective_at'),
  toMilliseconds(sql.ref('retention_policies.rule_saved_at')).as('rule_saved_at'),
  databaseNow.$notNull().as('now'),
] as const;

/** The rules of a team, all kinds; undefined when there is no such team. */
export async function findTeamRules(db: Database | Trx, teamId: string): Promise<TeamRules | undefined> {
  const rows = await db
    .selectFrom('teams')
    .leftJoin('retention_policies', 'retention_policies.team_id', 'teams.id')
    .where('teams.id', '=', teamId)
    .select(['retention_policies.kind', ...columns])
    .select(instants)
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  const stored = new Map<string | null, StoredRule>(rows.map((row) => [row.kind, row]));
  const all = <Value>(pick: (kind: RetentionKind) => Value) =>
    Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, pick(kind)])) as Record<RetentionKind, Value>;
  return {
    holds: await listActiveHolds(db, teamId),
    timeZone: first.time_zone,
    now: first.now,
    byKind: all((kind) => resolveRule(kind, stored.get(kind), first.now)),
    savedAt: all((kind) => getSavedAt(stored.get(kind), first.now)),
  };
}

export interface LockedRule {
  state: RuleState;
  savedAt: number;
  timeZone: string;
  now: number;
  holds: ActiveHold[];
}

/** The rule of one kind, the team's time zone and the holds: until this transaction ends, no rule is saved and no hold added. */
export async function lockRule(trx: Trx, teamId: string, kind: RetentionKind): Promise<LockedRule | undefined> {
  const row = await trx
    .selectFrom('retention_policies')
    .innerJoin('teams', 'teams.id', 'retention_policies.team_id')
    .where('retention_policies.team_id', '=', teamId)
    .where('retention_policies.kind', '=', kind)
    .select(columns)
    .select(instants)
    .forShare(['retention_policies'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { now, time_zone: timeZone } = row;
  const holds = holdsOn(kind, await listActiveHolds(trx, teamId));
  return { state: resolveRule(kind, row, now), savedAt: getSavedAt(row, now), timeZone, now, holds };
}
