import { NIGHT_DAYS } from '@steward/contract/api/limits';
import type { InactivityNight } from '@steward/contract/users/inactivity';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import type { DueStep, Step } from './steps.store.ts';

export interface NightKey {
  teamId: string;
  night: string;
}

export interface StoredNight {
  night: string;
  state: InactivityNight['state'];
  asked_ids: string[];
  warned_ids: string[];
  reminded_ids: string[];
  deactivated_ids: string[];
  confirmed_by: string | null;
  is_undone: boolean;
}

const columns = sql`night::text as night, state, asked_ids, warned_ids, reminded_ids, deactivated_ids, confirmed_by,
  undone_at is not null as is_undone`;

export async function findNight(trx: Trx, { teamId, night }: NightKey): Promise<StoredNight | undefined> {
  const { rows } = await sql<StoredNight>`select ${columns} from inactivity_nights
    where team_id = ${teamId} and night = ${night}::date`.execute(trx);
  return rows[0];
}

/** The night that was being worked on when a server stopped, also one of another date. */
export async function findRunningNight(trx: Trx, teamId: string): Promise<StoredNight | undefined> {
  const { rows } = await sql<StoredNight>`select ${columns} from inactivity_nights
    where team_id = ${teamId} and state = 'running' order by night desc limit 1`.execute(trx);
  return rows[0];
}

export async function addNight(
  trx: Trx,
  { teamId, night }: NightKey,
  { state, members, asked }: { state: InactivityNight['state']; members: number; asked: readonly string[] },
): Promise<void> {
  await sql`insert into inactivity_nights (team_id, night, state, members, asked_ids, started_at)
    values (${teamId}, ${night}::date, ${state}, ${members}, ${[...asked]}, now())`.execute(trx);
}

const COLUMN: Record<Step, 'warned_ids' | 'reminded_ids' | 'deactivated_ids'> = {
  warn: 'warned_ids',
  remind: 'reminded_ids',
  deactivate: 'deactivated_ids',
};

/** Adds what was just done to the night, with the times of deactivations. */
export async function addSteps(trx: Trx, { teamId, night }: NightKey, steps: readonly DueStep[]): Promise<void> {
  const idsOf = (wanted: Step) => steps.flatMap(({ id, step }) => (step === wanted ? [id] : []));
  const times = sql`array(select m.deactivated_at from unnest(${idsOf('deactivate')}::text[]) with ordinality d (id, place)
    join memberships m on m.team_id = ${teamId} and m.person_id = d.id order by d.place)`;
  const appended = (Object.keys(COLUMN) as Step[]).map(
    (step) => sql`${sql.ref(COLUMN[step])} = ${sql.ref(COLUMN[step])} || ${idsOf(step)}::text[]`,
  );
  await sql`update inactivity_nights set ${sql.join(appended)}, deactivated_times = deactivated_times || ${times}
    where team_id = ${teamId} and night = ${night}::date`.execute(trx);
}

export async function endNight(trx: Trx, { teamId, night }: NightKey): Promise<void> {
  await sql`update inactivity_nights set state = 'done', ended_at = now()
    where team_id = ${teamId} and night = ${night}::date`.execute(trx);
}

export async function saveConfirmed(trx: Trx, { teamId, night }: NightKey, userId: string): Promise<void> {
  await sql`update inactivity_nights set state = 'running', confirmed_by = ${userId}
    where team_id = ${teamId} and night = ${night}::date`.execute(trx);
}

export async function saveUndone(trx: Trx, { teamId, night }: NightKey, userId: string): Promise<void> {
  await sql`update inactivity_nights set undone_at = now(), undone_by = ${userId}
    where team_id = ${teamId} and night = ${night}::date`.execute(trx);
}

/** Members whom the night deactivated, and who are still deactivated by it. */
export async function listDeactivatedBy(trx: Trx, { teamId, night }: NightKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select m.person_id as id from inactivity_nights n
    cross join lateral unnest(n.deactivated_ids, n.deactivated_times) d (id, at)
    join memberships m on m.team_id = n.team_id and m.person_id = d.id and m.deactivated and m.deactivated_at = d.at
    where n.team_id = ${teamId} and n.night = ${night}::date order by 1`.execute(trx);
  return rows.map(({ id }) => id);
}

/** People whom a list of nights names. */
const NAMED = sql.lit(10);

function toUsers(ids: string): RawBuilder<unknown> {
  const name = nameInTeam({ team: 'n.team_id', user: 'u.id', users: 'p' });
  return sql`json_build_object('count', cardinality(${sql.ref(ids)}), 'users', coalesce((
    select json_agg(json_build_object('id', u.id, 'name', ${name}) order by u.place)
    from unnest(${sql.ref(ids)}) with ordinality u (id, place) left join people p on p.id = u.id where u.place <= ${NAMED}), '[]'))`;
}

/** Newest first: the last one, and those that touched somebody. */
export async function listNights(db: Database | Trx, teamId: string): Promise<InactivityNight[]> {
  const by = (user: string, users: string) => sql`coalesce(case when n.${sql.ref(user)} is not null
    then ${nameInTeam({ team: 'n.team_id', user: `n.${user}`, users })} end, '')`;
  const { rows } = await sql<InactivityNight>`
    select n.night::text as night, n.state, n.members, ${toUsers('n.asked_ids')} as asked, ${toUsers('n.warned_ids')} as warned,
      ${toUsers('n.reminded_ids')} as reminded, ${toUsers('n.deactivated_ids')} as deactivated,
      ${by('confirmed_by', 'c')} as confirmed_by_name, ${toMilliseconds(sql.ref('n.undone_at'))} as undone_at,
      ${by('undone_by', 'd')} as undone_by_name
    from inactivity_nights n left join people c on c.id = n.confirmed_by left join people d on d.id = n.undone_by
    where n.team_id = ${teamId} and (cardinality(n.warned_ids || n.reminded_ids || n.deactivated_ids) > 0
      or n.night = (select max(l.night) from inactivity_nights l where l.team_id = n.team_id))
    order by n.night desc limit 100`.execute(db);
  return rows;
}

export async function removeOldNights(db: Database): Promise<void> {
  await sql`delete from inactivity_nights where started_at < now() - make_interval(days => ${NIGHT_DAYS})`.execute(db);
}
