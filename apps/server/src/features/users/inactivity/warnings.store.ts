import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { hashToken } from '#platform/security/secrets.ts';
import { nameInTeam } from '#workspace/users/users.store.ts';
import { countsStill, type NightRule } from './steps.store.ts';

export interface Warning {
  id: string;
  mailId: string;
  /** Of the link in the email; only its hash is stored. */
  token: string;
}

const toColumns = (warnings: readonly Warning[]) => sql`unnest(${warnings.map(({ id }) => id)}::text[],
  ${warnings.map(({ mailId }) => mailId)}::text[], ${warnings.map(({ token }) => hashToken(token))}::text[]) as w (id, mail_id, token_hash)`;

/** Stores first warnings. One that was not delivered is replaced. */
export async function addWarnings(
  trx: Trx,
  { teamId, tonight }: NightRule,
  warnings: readonly Warning[],
): Promise<void> {
  await sql`insert into inactivity_warnings (team_id, person_id, warned_on, first_mail_id, first_token_hash)
    select ${teamId}, w.id, ${tonight}::date, w.mail_id, w.token_hash from ${toColumns(warnings)}
    on conflict (team_id, person_id) do update set warned_on = excluded.warned_on, first_mail_id = excluded.first_mail_id,
      first_token_hash = excluded.first_token_hash, first_accepted = false, reminded_on = null, second_mail_id = null,
      second_token_hash = null, second_accepted = false`.execute(trx);
}

/** Stores second warnings. The links of the first ones still work. */
export async function saveReminded(
  trx: Trx,
  { teamId, tonight }: NightRule,
  warnings: readonly Warning[],
): Promise<void> {
  await sql`update inactivity_warnings i set reminded_on = ${tonight}::date, second_mail_id = w.mail_id,
      second_token_hash = w.token_hash
    from ${toColumns(warnings)} where i.team_id = ${teamId} and i.person_id = w.id`.execute(trx);
}

/** Keeps that the mail server accepted a warning: the row of its email goes after a week. */
export async function recordAccepted(trx: Trx, teamId: string): Promise<void> {
  for (const [accepted, mailId] of [
    ['first_accepted', 'first_mail_id'],
    ['second_accepted', 'second_mail_id'],
  ] as const)
    await sql`update inactivity_warnings w set ${sql.ref(accepted)} = true from mails
      where w.team_id = ${teamId} and not w.${sql.ref(accepted)} and mails.id = w.${sql.ref(mailId)}
        and mails.state = 'sent'`.execute(trx);
}

/** Withdraws the warnings of members who have been active since, or whom something protects now. */
export async function removeOutdatedWarnings(trx: Trx, rule: NightRule): Promise<void> {
  await sql`delete from inactivity_warnings w
    where w.team_id = ${rule.teamId} and w.person_id not in (${countsStill(rule)})`.execute(trx);
}

/** Of these people, or of all. */
export async function removeWarnings(trx: Trx, teamId: string, ids?: readonly string[]): Promise<void> {
  let query = trx.deleteFrom('inactivity_warnings').where('team_id', '=', teamId);
  if (ids !== undefined) query = query.where(sql<boolean>`person_id = any(${[...ids]})`);
  await query.execute();
}

/** The open warning of a link whose member still has access; undefined for every other link. */
export async function findWarning(
  db: Database | Trx,
  token: string,
): Promise<{ team_id: string; person_id: string; team_name: string; days: number } | undefined> {
  const hash = hashToken(token);
  const { rows } = await sql<{ team_id: string; person_id: string; team_name: string; days: number }>`
    select w.team_id, w.person_id, t.display_name as team_name, r.days from inactivity_warnings w
    join teams t on t.id = w.team_id
    join inactivity_rules r on r.team_id = w.team_id and r.on_since is not null
    join memberships m on m.team_id = w.team_id and m.person_id = w.person_id and not m.deactivated
      and (m.ends_at is null or m.ends_at > now())
    where w.first_token_hash = ${hash} or w.second_token_hash = ${hash}`.execute(db);
  return rows[0];
}

/** Uses a warning up; false if another request did. */
export async function takeWarning(trx: Trx, { teamId, userId }: { teamId: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('inactivity_warnings')
    .where('team_id', '=', teamId)
    .where('person_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countWarned(db: Database | Trx, teamId: string): Promise<number> {
  const { count } = await db
    .selectFrom('inactivity_warnings')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('team_id', '=', teamId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Members whose newest warning was given up, with the reply of the mail server; at most a hundred. */
export async function listUndelivered(
  db: Database | Trx,
  teamId: string,
): Promise<{ id: string; name: string; email: string; error: string }[]> {
  const name = nameInTeam({ team: 'w.team_id', user: 'w.person_id', users: 'p' });
  const { rows } = await sql<{ id: string; name: string; email: string; error: string }>`
    select p.id, ${name} as name, p.email, e.error from inactivity_warnings w
    join people p on p.id = w.person_id
    join mails e on e.id = coalesce(w.second_mail_id, w.first_mail_id) and e.state = 'failed'
    where w.team_id = ${teamId} order by 2, 1 limit 100`.execute(db);
  return rows;
}

/** For a restored workspace: the links and emails are of another time. */
export async function removeAllWarnings(trx: Trx): Promise<void> {
  await trx.deleteFrom('inactivity_warnings').execute();
}
