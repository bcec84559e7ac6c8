import { sql } from 'kysely';
import type pg from 'pg';
import type { Database, Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { millisecondsIn } from '#platform/database/milliseconds.ts';

/** `waiting`: queued or being retried. `sent`: accepted by the mail server. `failed`: given up. */
export const MAIL_STATES = ['waiting', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** The kind of an email, such as 'users.invitation', and the team and user that it concerns. */
export interface About {
  kind: string;
  teamId?: string;
  userId?: string;
}

export async function addMail(trx: Trx, about: About, recipient: string): Promise<string> {
  const id = newId();
  const values = { id, kind: about.kind, recipient, team_id: about.teamId ?? null, person_id: about.userId ?? null };
  await trx
    .insertInto('mails')
    .values({ ...values, state: 'waiting', attempts: 0, error: '' })
    .execute();
  return id;
}

/** Returns the ids in order. */
export async function addMails(
  trx: Trx,
  { kind, teamId }: Pick<About, 'kind'> & { teamId: string },
  mails: readonly { userId: string; recipient: string }[],
): Promise<string[]> {
  const ids = mails.map(() => newId());
  const values = mails.map(({ userId, recipient }, at) => {
    return { id: ids[at] ?? '', kind, recipient, team_id: teamId, person_id: userId };
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

export async function isSent(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('mails')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'sent')
    .executeTakeFirst();
  return row !== undefined;
}

export async function markSent(db: Database, id: string): Promise<void> {
  await db
    .updateTable('mails')
    .set(({ eb }) => ({ state: 'sent', attempts: eb('attempts', '+', 1), error: '', ended_at: now }))
    .where('id', '=', id)
    .execute();
}

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

/** Marks all queued emails as failed and returns their number. */
export async function giveUpWaiting(trx: Trx, error: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('mails')
    .set({ state: 'failed', error, ended_at: now })
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Times are in milliseconds since 1970. */
export interface MailRow {
  created_at: number;
  kind: string;
  recipient: string;
  state: MailState;
  attempts: number;
  /** Last response of the mail server. */
  error: string;
  /** About when the last attempt is made; null if there is no further one. */
  retried_until: number | null;
}

/** About the sum of the waits between the attempts of a job `mail.send`. */
const RETRIED_MS = 27 * 3600 * 1000;

/** `failed` also finds emails whose last attempt failed and that are retried. */
export async function listMails(db: Database, only: { state?: MailState; limit: number }): Promise<MailRow[]> {
  let mails = db
    .selectFrom('mails')
    .select([millisecondsIn('created_at').as('created_at'), 'kind', 'recipient', 'state', 'attempts', 'error'])
    .orderBy('mails.created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(only.limit);
  if (only.state === 'failed')
    mails = mails.where(({ eb, or, and }) =>
      or([eb('state', '=', 'failed'), and([eb('state', '=', 'waiting'), eb('attempts', '>', 0)])]),
    );
  else if (only.state !== undefined) mails = mails.where('state', '=', only.state);
  const rows = await mails.execute();
  return rows.map((row) => ({ ...row, retried_until: row.state === 'waiting' ? row.created_at + RETRIED_MS : null }));
}

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

/** Deletes emails to or about a user, of one team or of all, and returns their ids. */
export async function removeMailsAbout(
  trx: Trx,
  { teamId, userId, address }: { teamId: string | undefined; userId: string; address: string },
): Promise<string[]> {
  let query = trx
    .deleteFrom('mails')
    .where(({ eb }) => eb('person_id', '=', userId).or(sql<string>`lower(recipient)`, '=', address))
    .returning('id');
  if (teamId !== undefined) query = query.where('team_id', '=', teamId);
  return (await query.execute()).map(({ id }) => id);
}
