import type { InactivityRule } from '@steward/contract/users/inactivity';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';

/** The step of a night for a member: the first warning, the second one, or the deactivation. */
export type Step = 'warn' | 'remind' | 'deactivate';

/** Days from the first warning to the second one and to the deactivation, and from the second one to the deactivation at least. */
const REMIND_AFTER = sql.lit(11);
const DEACTIVATE_AFTER = sql.lit(14);
const REMINDED_BEFORE = sql.lit(3);
/** A warning that wasn't delivered is sent again after these days, and everything begins anew. */
const AGAIN_AFTER = sql.lit(14);

/** The rule as a night reads it. Dates are in the team's time zone. */
export interface NightRule extends Omit<InactivityRule, 'is_on'> {
  teamId: string;
  zone: string;
  /** The date on which it was switched on. */
  onSince: string;
  /** The night that is next, or on its way. */
  tonight: string;
}

/** The moment at which a night begins: 02:00 where the team is. */
export function toNightStart(night: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<Date> {
  return sql`((${night} + time '02:00') at time zone ${zone})`;
}

/** The date of the night that began last. */
export function toNight(moment: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<string> {
  return sql`((${moment} at time zone ${zone}) - interval '2 hours')::date`;
}

/** Members under the rule, the date since which they count as inactive, and the first night in which nothing protects them. */
function findMembers({ teamId, zone, ...rule }: NightRule): RawBuilder<unknown> {
  const milliseconds = sql`greatest(m.create_at, m.last_active_at, m.reactivated_at)`;
  const held = sql`(select max(coalesce(h.release_at, 'infinity')) from hold_people hp
    join holds h on h.team_id = hp.team_id and h.id = hp.hold_id
    where hp.team_id = m.team_id and hp.person_id = m.person_id and (h.release_at is null or h.release_at > now()))`;
  const isProvisioned = sql`exists (select from scim_users u
    where u.team_id = m.team_id and u.person_id = m.person_id and u.user_name is not null)`;
  return sql`select m.team_id, m.person_id, m.ends_at,
      (greatest(to_timestamp(${milliseconds} / 1000.0), s.began_at) at time zone ${zone})::date + ${rule.days}::int as inactive_on,
      greatest(${rule.tonight}::date, e.until + 1,
        case when ${rule.skips_held}::boolean then ${toNight(held, sql`${zone}`)} + 1 end) as free_on
    from memberships m
    join activity_sources s on s.team_id = m.team_id and s.kind = ${rule.source}
    left join inactivity_exceptions e on e.team_id = m.team_id and e.person_id = m.person_id
    where m.team_id = ${teamId} and m.email is null and not m.deactivated and (m.ends_at is null or m.ends_at > now())
      and not ${isIntegrationMember} and not 'team_owner' = any(m.roles)
      and (e.person_id is null or e.until is not null)
      and not (${rule.skips_provisioned}::boolean and ${isProvisioned})
      and not (${rule.skips_held}::boolean and coalesce(${held} = 'infinity', false))`;
}

/** Each member with their warning, if it still counts, and the dates of the steps that it leaves. */
function planSteps(rule: NightRule): RawBuilder<unknown> {
  const tonight = sql`${rule.tonight}::date`;
  const sent = sql`coalesce(p.reminded_on, p.warned_on)`;
  return sql`with found as (
      select m.*, w.warned_on, w.reminded_on,
        w.warned_on is not null and m.inactive_on <= w.warned_on and m.free_on <= ${tonight} as counts,
        w.first_accepted or coalesce(f.state = 'sent', false) as first_accepted,
        w.second_accepted or coalesce(l.state = 'sent', false) as second_accepted,
        not w.first_accepted and coalesce(f.state = 'failed', true)
          or w.reminded_on is not null and not w.second_accepted and coalesce(l.state = 'failed', true) as failed
      from (${findMembers(rule)}) m
      left join inactivity_warnings w on w.team_id = m.team_id and w.person_id = m.person_id
      left join mails f on f.id = w.first_mail_id
      left join mails l on l.id = w.second_mail_id
    ), planned as (
      select p.*, p.counts and not p.failed as is_warned,
        case when p.counts and not p.failed then p.warned_on
          else greatest(p.inactive_on, p.free_on, case when p.counts and p.failed then ${sent} + ${AGAIN_AFTER} end) end as first_on
      from found p
    ), reminded as (
      select p.*, case when p.is_warned and p.reminded_on is not null then p.reminded_on
          else greatest(p.first_on + ${REMIND_AFTER}, ${tonight},
            case when p.is_warned and not p.first_accepted then ${tonight} + 1 end) end as second_on
      from planned p
    )
    select p.person_id, p.ends_at, p.counts, p.failed, p.is_warned, p.reminded_on, p.first_on, p.second_on,
      greatest(p.first_on + ${DEACTIVATE_AFTER}, p.second_on + ${REMINDED_BEFORE}, ${tonight}, ${rule.onSince}::date + 15,
        case when p.is_warned and p.reminded_on is not null and not p.second_accepted then ${tonight} + 1 end) as last_on
    from reminded p`;
}

/**
 * The steps of all nights from `tonight` up to a date, if nobody is active until then and every warning is delivered. The job asks
 * for tonight alone, and the preview for 60 nights, so both decide alike.
 */
function selectSteps(rule: NightRule, until: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select p.person_id, v.step, v.night
    from (${planSteps(rule)}) p cross join lateral (values
      ('warn', case when not p.is_warned then p.first_on end, 1),
      ('remind', case when not (p.is_warned and p.reminded_on is not null) then p.second_on end, 2),
      ('deactivate', p.last_on, 3)) v (step, night, place)
    where v.night between ${rule.tonight}::date and ${until}
      and (p.ends_at is null or p.ends_at > ${toNightStart(sql`v.night`, sql`${rule.zone}`)})`;
}

export interface DueStep {
  id: string;
  step: Step;
}

/** What tonight has to do, of these people only if ids are given. */
export async function listTonight(
  trx: Trx,
  rule: NightRule,
  { ids, limit }: { ids?: readonly string[] | undefined; limit?: number } = {},
): Promise<DueStep[]> {
  const { rows } =
    await sql<DueStep>`select s.person_id as id, s.step from (${selectSteps(rule, sql`${rule.tonight}::date`)}) s
    where ${ids === undefined ? sql`true` : sql`s.person_id = any(${[...ids]})`} order by s.person_id
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(trx);
  return rows;
}

export interface PlannedStep {
  night: string;
  step: Step;
  count: number;
  /** The first of them by name. */
  users: { id: string; name: string }[];
}

/** Nights that the preview covers. */
const NIGHTS = sql.lit(60);

/** The steps of 60 nights, by night; the first `named` people of each. */
export async function listPlannedSteps(db: Database, rule: NightRule, named: number): Promise<PlannedStep[]> {
  const name = nameInTeam({ team: 'm.team_id', user: 'm.person_id', users: 'p' });
  const { rows } = await sql<PlannedStep>`
    select s.night::text as night, s.step, count(*)::int as count,
      json_agg(json_build_object('id', s.person_id, 'name', ${name}) order by m.name_key, m.person_id)
        filter (where s.place <= ${named}) as users
    from (select *, row_number() over (partition by night, step order by person_id) as place
      from (${selectSteps(rule, sql`${rule.tonight}::date + ${NIGHTS} - 1`)}) found) s
    join memberships m on m.team_id = ${rule.teamId} and m.person_id = s.person_id
    join people p on p.id = m.person_id
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** Different people of these 60 nights, by step. */
export async function countPlanned(db: Database, rule: NightRule): Promise<{ warned: number; deactivated: number }> {
  const { rows } = await sql<{ warned: number; deactivated: number }>`
    select count(distinct person_id) filter (where step = 'warn')::int as warned,
      count(distinct person_id) filter (where step = 'deactivate')::int as deactivated
    from (${selectSteps(rule, sql`${rule.tonight}::date + ${NIGHTS} - 1`)}) s`.execute(db);
  return rows[0] ?? { warned: 0, deactivated: 0 };
}

/** Of these warned members, those whose warning still counts: they haven't been active, and nothing protects them. */
export function countsStill(rule: NightRule): RawBuilder<unknown> {
  return sql`select p.person_id from (${planSteps(rule)}) p where p.counts`;
}

/** Members whom the rule could touch at all, and the others who have access: integration users aside. */
export async function countActiveMembers(db: Database | Trx, teamId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from memberships m
    where m.team_id = ${teamId} and m.email is null and not m.deactivated and (m.ends_at is null or m.ends_at > now())
      and not ${isIntegrationMember}`.execute(db);
  return rows[0]?.count ?? 0;
}
