import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';

/** Queued or being retried; accepted by the mail server; given up. */
export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** The subject of an email: its kind, such as 'users.invitation', and the team and person it concerns. */
export interface About {
  kind: string;
  teamId?: string;
  personId?: string;
}

/** Adds a queued email to the log and returns its id. */
export async function addMail(trx: Trx, about: About, recipient: string): Promise<string> {
  const id = newId();
  const values = { id, kind: about.kind, recipient, team_id: about.teamId ?? null, person_id: about.personId ?? null };
  await trx
    .insertInto('mails')
    .values({ ...values, state: 'waiting', attempts: 0, error: '' })
    .execute();
  return id;
}

/** The same for many emails of one kind and team; returns their ids in order. */
export async function addMails(
  trx: Trx,
  { kind, teamId }: Pick<About, 'kind'> & { teamId: string },
  mails: readonly { personId: string; recipient: string }[],
): Promise<string[]> {
  const ids = mails.map(() => newId());
  const values = mails.map(({ personId, recipient }, at) => {
    return { id: ids[at] ?? '', kind, recipient, team_id: teamId, person_id: personId };
  });
  const state = { state: 'waiting', attempts: 0, error: '' } as const;
  if (values.length > 0)
    await trx
      .insertInto('mails')
      .values(values.map((row) => ({ ...row, ...state })))
      .execute();
  return ids;
}

const now = sql<Date>`now()`;

/** Whether an email is recorded as accepted by the mail server. */
export async function isSent(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that the mail server accepted an email. */
export async function markSent(db: Database, id: string): Promise<void> {
  await db
    .updateTable('mails')
    .set(({ eb }) => ({ state: 'sent', attempts: eb('attempts', '+', 1), error: '', ended_at: now }))
    .where('id', '=', id)
    .execute();
}

/** Records a failed attempt, and whether it was the last one. */
export async function recordAttempt(
  db: Database,
  id: string,
  { error, isLast }: { error: string; isLast: boolean },
): Promise<void> {
  const ended = isLast
    ? ({ state: 'failed', ended_at: now } as const)
    : ({ state: 'waiting', ended_at: null } as const);
  await db
    .updateTable('mails')
    .set(({ eb }) => ({ ...ended, attempts: eb('attempts', '+', 1), error }))
    .where('id', '=', id)
    .execute();
}

/** Marks all queued emails as failed, with the reason, and returns their number. */
export async function giveUpWaiting(trx: Trx, error: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('mails')
    .set({ state: 'failed', error, ended_at: now })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Delivery status of an email; times in milliseconds since 1970. */
export interface MailRow {
  created_at: number;
  kind: string;
  recipient: string;
  state: MailState;
  attempts: number;
  /** Last response of the mail server. */
  error: string;
}

/** The newest emails, or the newest in one state. */
export async function listMails(db: Database, only: { state?: MailState; limit: number }): Promise<MailRow[]> {
  let mails = db
    .selectFrom('mails')
    .select([millisecondsIn('created_at').as('created_at'), 'kind', 'recipient', 'state', 'attempts', 'error'])
    .orderBy('mails.created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(only.limit);
  if (only.state !== undefined) mails = mails.where('state', '=', only.state);
  return mails.execute();
}

/** Number of emails of the last 24 hours in each state. */
export async function countMails(pool: pg.Pool): Promise<{ state: MailState; count: number }[]> {
  const { rows } = await pool.query<{ state: MailState; count: number }>(`
    select s.state, count(m.id)::int as count from unnest(array['waiting', 'sent', 'failed']) as s (state)
    left join mails m on m.state = s.state and m.created_at > now() - interval '1 day' group by s.state`);
  return rows;
}

/** Deletes sent emails after a week and the others after a month. */
export async function removeOldMails(db: Database): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('created_at', '<', sql<Date>`now() - interval '7 days'`)
    .where(({ eb }) => eb('state', '=', 'sent').or('created_at', '<', sql<Date>`now() - interval '30 days'`))
    .execute();
}

/** Deletes the log of emails to or about a person, of one team or of all, and returns their ids. */
export async function removeMailsAbout(
  trx: Trx,
  { teamId, personId, address }: { teamId: string | undefined; personId: string; address: string },
): Promise<string[]> {
  let query = trx
    .deleteFrom('mails')
    .where(({ eb }) => eb('person_id', '=', personId).or(sql<string>`lower(recipient)`, '=', address))
    .returning('id');
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  return (await query.execute()).map(({ id }) => id);
}
