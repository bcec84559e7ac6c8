import { INACTIVITY_DAYS_MIN } from '@steward/contract/api/limits';
import type { InactivityException, InactivityRule } from '@steward/contract/users/inactivity';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { millisecondsIn, toMilliseconds } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import { type NightRule, toNight, toNightStart } from './steps.store.ts';

/** A new rule warns after three months. */
const NO_RULE: InactivityRule = {
  is_on: false,
  source: 'sso',
  days: Math.max(90, INACTIVITY_DAYS_MIN),
  skips_held: true,
  skips_provisioned: true,
};

export interface StoredRule {
  rule: InactivityRule;
  /** In milliseconds; null while it is off. */
  on_since: number | null;
}

async function findRule(db: Database | Trx, teamId: string): Promise<StoredRule | undefined> {
  const row = await db
    .selectFrom('inactivity_rules')
    .select(['source', 'days', 'skips_held', 'skips_provisioned'])
    .select(toMilliseconds(sql.ref('on_since')).as('on_since'))
    .where('team_id', '=', teamId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { on_since, ...rule } = row;
  return { rule: { is_on: on_since !== null, ...rule }, on_since };
}

/** A team that never saved a rule has one that is off. */
export async function getRule(db: Database | Trx, teamId: string): Promise<StoredRule> {
  return (await findRule(db, teamId)) ?? { rule: NO_RULE, on_since: null };
}

/** A rule that is on stays on since it was. */
export async function saveRule(trx: Trx, teamId: string, { is_on, ...rule }: InactivityRule): Promise<void> {
  const onSince = is_on ? sql<Date>`now()` : null;
  await trx
    .insertInto('inactivity_rules')
    .values({ team_id: teamId, ...rule, on_since: onSince })
    .onConflict((conflict) =>
      conflict.column('team_id').doUpdateSet({
        ...rule,
        on_since: is_on ? sql<Date>`coalesce(inactivity_rules.on_since, now())` : null,
      }),
    )
    .execute();
}

/** Part of a statement on `teams t` and `inactivity_rules r`: the night that has begun, unless the rule is younger or it was done. */
const tonight = toNight(sql`now()`, sql`t.time_zone`);
const isTonightOpen = sql<boolean>`(${toNightStart(tonight, sql`t.time_zone`)} >= r.on_since
  and not exists (select from inactivity_nights n where n.team_id = t.id and n.night >= ${tonight}))`;

/** Teams whose night has begun and wasn't worked on yet, or not to its end. */
export async function listTeamsWithNight(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select t.id from inactivity_rules r join teams t on t.id = r.team_id
    where r.on_since is not null and (${isTonightOpen} or exists (select from inactivity_nights n
      where n.team_id = t.id and n.state = 'running')) order by t.id`.execute(db);
  return rows.map(({ id }) => id);
}

const selectRule = (teamId: string, night: RawBuilder<string>) => sql<NightRule & { isOpen: boolean }>`
  select t.id as "teamId", t.time_zone as zone, r.source, r.days, r.skips_held, r.skips_provisioned,
    (r.on_since at time zone t.time_zone)::date::text as "onSince", (${night})::text as tonight, ${isTonightOpen} as "isOpen"
  from inactivity_rules r join teams t on t.id = r.team_id where t.id = ${teamId} and r.on_since is not null`;

/** The rule for the night that has begun; undefined while it is off. `isOpen`: nobody has worked on the night yet. */
export async function findRuleTonight(
  trx: Trx,
  teamId: string,
): Promise<(NightRule & { isOpen: boolean }) | undefined> {
  const { rows } = await selectRule(teamId, tonight).execute(trx);
  return rows[0];
}

/** A rule as its next nights would read it, if it were on: since now, unless it is on already. */
export async function planRule(
  db: Database | Trx,
  teamId: string,
  { is_on: _isOn, ...rule }: InactivityRule,
): Promise<NightRule> {
  const { rows } = await sql<Pick<NightRule, 'zone' | 'onSince' | 'tonight'>>`
    select t.time_zone as zone, (coalesce(r.on_since, now()) at time zone t.time_zone)::date::text as "onSince",
      (case when coalesce(${isTonightOpen}, false) then ${tonight}
        else greatest(${tonight}, (select max(n.night) from inactivity_nights n where n.team_id = t.id)) + 1 end)::text as tonight
    from teams t left join inactivity_rules r on r.team_id = t.id where t.id = ${teamId}`.execute(db);
  const [clock] = rows;
  if (!clock) throw new Error('the team is missing');
  return { teamId, ...rule, ...clock };
}

export interface StoredException {
  reason: string;
  until: string | null;
}

export async function findException(trx: Trx, teamId: string, userId: string): Promise<StoredException | undefined> {
  return trx
    .selectFrom('inactivity_exceptions')
    .select(['reason', sql<string | null>`until::text`.as('until')])
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .executeTakeFirst();
}

/** By name, without those that have ended. */
export async function listExceptions(db: Database | Trx, teamId: string): Promise<InactivityException[]> {
  const { rows } = await sql<InactivityException>`
    select e.person_id as user_id, ${nameInTeam({ team: 'e.team_id', user: 'e.person_id', users: 'p' })} as name, p.email, e.reason,
      e.until::text as until, ${nameInTeam({ team: 'e.team_id', user: 'e.added_by', users: 'a' })} as added_by_name,
      ${millisecondsIn('e.added_at')} as added_at
    from inactivity_exceptions e join teams t on t.id = e.team_id
    join memberships m on m.team_id = e.team_id and m.person_id = e.person_id
    join people p on p.id = e.person_id left join people a on a.id = e.added_by
    where e.team_id = ${teamId} and (e.until is null or e.until >= (now() at time zone t.time_zone)::date)
    order by m.name_key, e.person_id`.execute(db);
  return rows;
}

export async function countExceptions(trx: Trx, teamId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('inactivity_exceptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Also removes those of the team that have ended. */
export async function saveException(
  trx: Trx,
  { teamId, userId, addedBy, reason, until }: StoredException & { teamId: string; userId: string; addedBy: string },
): Promise<void> {
  await sql`delete from inactivity_exceptions e using teams t
    where e.team_id = ${teamId} and t.id = e.team_id and e.until < (now() at time zone t.time_zone)::date`.execute(trx);
  const values = { reason, until, added_by: addedBy, added_at: sql<Date>`now()` };
  await trx
    .insertInto('inactivity_exceptions')
    .values({ team_id: teamId, person_id: userId, ...values })
    .onConflict((conflict) => conflict.columns(['team_id', 'person_id']).doUpdateSet(values))
    .execute();
}

export async function removeException(trx: Trx, teamId: string, userId: string): Promise<void> {
  await trx.deleteFrom('inactivity_exceptions').where('team_id', '=', teamId).where('person_id', '=', userId).execute();
}
