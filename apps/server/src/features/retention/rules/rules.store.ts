import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';
import { type RuleState, resolveRule, type StoredRule } from './rule-schedule.rules.ts';

/** The rules of a team at a moment of the database's clock, in milliseconds. */
export interface TeamRules {
  timeZone: string;
  now: number;
  byKind: Readonly<Record<RetentionKind, RuleState>>;
}

const effectiveAt = toMilliseconds(sql.ref('retention_policies.effective_at')).as('effective_at');

/** The rules of a team, all kinds; undefined when there is no such team. */
export async function findTeamRules(db: Database | Trx, teamId: string): Promise<TeamRules | undefined> {
  const rows = await db
    .selectFrom('teams')
    .leftJoin('retention_policies', 'retention_policies.team_id', 'teams.id')
    .where('teams.id', '=', teamId)
    .select(['teams.time_zone', 'retention_policies.kind', 'retention_policies.rule', 'retention_policies.waiting'])
    .select([effectiveAt, databaseNow.$notNull().as('now')])
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  const stored = new Map(rows.map((row) => [row.kind, row]));
  const byKind = Object.fromEntries(
    RETENTION_KINDS.map((kind) => [kind, resolveRule(kind, stored.get(kind), first.now)]),
  );
  return { timeZone: first.time_zone, now: first.now, byKind: byKind as Record<RetentionKind, RuleState> };
}

/** The database's clock, in milliseconds. */
export async function findClock(db: Database): Promise<number> {
  const { now } = await db.selectNoFrom(databaseNow.$notNull().as('now')).executeTakeFirstOrThrow();
  return now;
}

/** The rule of one kind and the team's time zone; it can't be saved again before this transaction ends. */
export async function lockRule(
  trx: Trx,
  teamId: string,
  kind: RetentionKind,
): Promise<{ state: RuleState; timeZone: string } | undefined> {
  const row = await trx
    .selectFrom('retention_policies')
    .innerJoin('teams', 'teams.id', 'retention_policies.team_id')
    .where('retention_policies.team_id', '=', teamId)
    .where('retention_policies.kind', '=', kind)
    .select(['retention_policies.rule', 'retention_policies.waiting', 'teams.time_zone'])
    .select([effectiveAt, databaseNow.$notNull().as('now')])
    .forShare(['retention_policies'])
    .executeTakeFirst();
  return row && { state: resolveRule(kind, row as StoredRule, row.now), timeZone: row.time_zone };
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
  await sql`insert into retention_policies (team_id, kind, rule, waiting, effective_at, saved_by)
    values (${teamId}, ${kind}, ${rule}, ${next}, ${at}, ${savedBy})
    on conflict (team_id, kind) do update set rule = excluded.rule, waiting = excluded.waiting,
      reminded = retention_policies.reminded and retention_policies.effective_at is not distinct from excluded.effective_at,
      effective_at = excluded.effective_at, saved_by = excluded.saved_by, saved_at = now()`.execute(trx);
}

/** A scheduled rule whose owners have not been reminded yet. */
export interface DueReminder {
  team_id: string;
  kind: RetentionKind;
}

/** Rules that take effect within so many hours, or already have, without a reminder. */
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

/** Records that owners were reminded; false when another node did it, or the rule was canceled. */
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

/** A team with rules, and the last night whose runs were started. */
export interface TeamNight {
  team_id: string;
  time_zone: string;
  night: string;
  /** The database's clock, in milliseconds. */
  now: number;
}

/** All teams that ever saved a rule. */
export function listTeamNights(db: Database): Promise<TeamNight[]> {
  return db
    .selectFrom('retention_nights')
    .innerJoin('teams', 'teams.id', 'retention_nights.team_id')
    .select(['retention_nights.team_id', 'teams.time_zone', 'retention_nights.night'])
    .select(databaseNow.$notNull().as('now'))
    .orderBy('retention_nights.team_id')
    .execute();
}

/** Starts tracking a team's nights; the night of its first rule has already passed. */
export async function addTeamNight(trx: Trx, teamId: string, night: string): Promise<void> {
  await trx
    .insertInto('retention_nights')
    .values({ team_id: teamId, night })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes a night for the caller's transaction; false when another node has it. */
export async function claimNight(trx: Trx, teamId: string, night: string): Promise<boolean> {
  const rows = await trx
    .updateTable('retention_nights')
    .set({ night })
    .where('team_id', '=', teamId)
    .where('night', '<', night)
    .returning('team_id')
    .execute();
  return rows.length === 1;
}
