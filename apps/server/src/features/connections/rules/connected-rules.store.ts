import { CONNECTED_KINDS, type ConnectedKind } from '@steward/contract/connections/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';
import type { ActiveHold } from '#workspace/content/holds/active-holds.rules.ts';
import { listActiveHolds } from '#workspace/content/holds/held.store.ts';
import { getRetentionScope } from '#workspace/content/retention/retention-scope.rules.ts';
import { type RuleState, resolveRule, type StoredRule } from '#workspace/content/retention/rule-schedule.rules.ts';
import type { MappingKey } from '../mappings.store.ts';
import type { ThreadSelection } from '../orders/threads.store.ts';

/** The rules of a team for one connected server at a moment of the database's clock, in milliseconds. */
export interface ConnectedRules {
  timeZone: string;
  now: number;
  byKind: Readonly<Record<ConnectedKind, RuleState>>;
  holds: readonly ActiveHold[];
}

export async function findConnectedRules(
  db: Database | Trx,
  { serverId, teamId }: MappingKey,
): Promise<ConnectedRules> {
  const { time_zone: timeZone, now } = await db
    .selectFrom('teams')
    .where('id', '=', teamId)
    .select(['time_zone', databaseNow.$notNull().as('now')])
    .executeTakeFirstOrThrow();
  const rows = await db
    .selectFrom('connected_rules')
    .where('server_id', '=', serverId)
    .where('team_id', '=', teamId)
    .select(['kind', 'rule', 'waiting'])
    .select(toMilliseconds(sql.ref('effective_at')).as('effective_at'))
    .execute();
  const stored = new Map<string, StoredRule>(rows.map((row) => [row.kind, { ...row, rule_saved_at: null }]));
  const states = CONNECTED_KINDS.map((kind) => [kind, resolveRule(kind, stored.get(kind), now)]);
  return {
    timeZone,
    now,
    byKind: Object.fromEntries(states) as Record<ConnectedKind, RuleState>,
    holds: await listActiveHolds(db, teamId),
  };
}

export async function saveConnectedRule(
  trx: Trx,
  { serverId, teamId, kind, savedBy }: MappingKey & { kind: ConnectedKind; savedBy: string },
  { current, scheduled }: RuleState,
): Promise<void> {
  const [rule, waiting] = [JSON.stringify(current ?? { value: 0 }), scheduled && JSON.stringify(scheduled.rule)];
  const at = scheduled && new Date(scheduled.effectiveAt);
  await sql`insert into connected_rules (server_id, team_id, kind, rule, waiting, effective_at, saved_by)
    values (${serverId}, ${teamId}, ${kind}, ${rule}, ${waiting}, ${at}, ${savedBy})
    on conflict (server_id, team_id, kind) do update set rule = excluded.rule, waiting = excluded.waiting,
      reminded = connected_rules.reminded and connected_rules.effective_at is not distinct from excluded.effective_at,
      effective_at = excluded.effective_at, saved_by = excluded.saved_by`.execute(trx);
}

export async function removeRules(trx: Trx, { serverId, teamId }: MappingKey): Promise<void> {
  await trx.deleteFrom('connected_rules').where('server_id', '=', serverId).where('team_id', '=', teamId).execute();
}

export interface DueReminder extends MappingKey {
  kind: ConnectedKind;
}

/** Stricter rules that take effect within `hours`, including those that have already. */
export async function listDueReminders(db: Database, hours: number): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`select server_id as "serverId", team_id as "teamId", kind from connected_rules
    where waiting is not null and not reminded and effective_at < clock_timestamp() + make_interval(hours => ${hours})
    order by team_id, kind limit 1000`.execute(db);
  return rows;
}

/** False if another node sent the reminder, or the rule was canceled. */
export async function markReminded(trx: Trx, { serverId, teamId, kind }: DueReminder): Promise<boolean> {
  const row = await trx
    .updateTable('connected_rules')
    .set({ reminded: true })
    .where('server_id', '=', serverId)
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .where('waiting', 'is not', null)
    .where('reminded', '=', false)
    .returning('kind')
    .executeTakeFirst();
  return row !== undefined;
}

type Rules = Partial<Record<ConnectedKind, RuleState['current'] | undefined>>;

/** The selection of threads that rules reach at this moment. */
export function selectThreads(key: MappingKey, rules: ConnectedRules, chosen: Rules): ThreadSelection {
  const cutoffs: ThreadSelection['cutoffs'] = {};
  for (const kind of CONNECTED_KINDS) {
    const rule = chosen[kind] ?? null;
    const scope = getRetentionScope(key.teamId, rule, { ...rules, savedAt: 0, holds: [] });
    if (scope !== null) cutoffs[kind] = scope.cutoff;
  }
  return { ...key, cutoffs, holds: rules.holds };
}

export function selectCurrentThreads(key: MappingKey, rules: ConnectedRules): ThreadSelection {
  const chosen = Object.fromEntries(CONNECTED_KINDS.map((kind) => [kind, rules.byKind[kind].current])) as Rules;
  return selectThreads(key, rules, chosen);
}
