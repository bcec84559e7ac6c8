import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { toMilliseconds } from '#platform/database/milliseconds.ts';

/** Queued or tried in vain so far, taken by the mail server, given up. */
export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** What a mail is about: its name, as in 'users.invitation', and the team and person it concerns. */
export interface About {
  kind: string;
  teamId?: string;
  personId?: string;
}

/** Notes a mail that was queued, in the transaction that is its reason; answers the id of the note. */
export async function addMail(trx: Trx, about: About, recipient: string): Promise<string> {
  const id = newId();
  const values = { id, kind: about.kind, recipient, team_id: about.teamId ?? null, person_id: about.personId ?? null };
  await trx
    .insertInto('mails')
    .values({ ...values, state: 'waiting', attempts: 0, error: '' })
    .execute();
  return id;
}

/** Notes that the mail server has taken a mail. */
export async function markSent(db: Database, id: string): Promise<void> {
  await sql`update mails set state = 'sent', attempts = attempts + 1, error = '', ended_at = now()
    where id = ${id}`.execute(db);
}

/** Notes a try that failed, and whether it was the last one. */
export async function recordAttempt(
  db: Database,
  id: string,
  { error, isLast }: { error: string; isLast: boolean },
): Promise<void> {
  await sql`update mails set attempts = attempts + 1, error = ${error},
    state = ${isLast ? 'failed' : 'waiting'}, ended_at = ${isLast ? sql`now()` : null} where id = ${id}`.execute(db);
}

/** Notes that nobody will send the mails that still wait, and why; answers how many these are. */
export async function giveUpWaiting(trx: Trx, error: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`update mails set state = 'failed', error = ${error}, ended_at = now()
    where state = 'waiting'`.execute(trx);
  return Number(numAffectedRows);
}

/** What became of a mail; instants in milliseconds since 1970. */
export interface MailRow {
  created_at: number;
  kind: string;
  recipient: string;
  state: MailState;
  attempts: number;
  /** What the mail server said at last. */
  error: string;
}

/** The newest mails, or the newest in one state. */
export async function listMails(db: Database, only: { state?: MailState; limit: number }): Promise<MailRow[]> {
  const state = only.state ?? null;
  const { rows } = await sql<MailRow>`select ${toMilliseconds(sql`created_at`)} as created_at, kind, recipient, state,
      attempts, error
    from mails where ${state}::text is null or state = ${state}
    order by created_at desc, id desc limit ${only.limit}`.execute(db);
  return rows;
}

/** How many mails of the last 24 hours are in each state. */
export async function countMails(pool: pg.Pool): Promise<{ state: MailState; count: number }[]> {
  const { rows } = await pool.query<{ state: MailState; count: number }>(`
    select s.state, count(m.id)::int as count from unnest(array['waiting', 'sent', 'failed']) as s (state)
    left join mails m on m.state = s.state and m.created_at > now() - interval '1 day' group by s.state`);
  return rows;
}

/** Forgets mails: those that were sent after a week, the others after a month. */
export async function removeOldMails(db: Database): Promise<void> {
  await sql`delete from mails where created_at < now() - interval '7 days'
    and (state = 'sent' or created_at < now() - interval '30 days')`.execute(db);
}
