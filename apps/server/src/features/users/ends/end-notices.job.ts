import { ENDING_SOON_DAYS } from '@steward/contract/api/limits';
import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { toLocalTime } from '#workspace/users/end-dates.rules.ts';
import { listManagers, listOwners } from '#workspace/users/managers.store.ts';
import { listTeamsWithEndNotices, takeEndNotices } from '#workspace/users/memberships.store.ts';
import { claimEndList, getTeam } from '#workspace/users/teams.store.ts';
import { endingMail, leavingMail } from './ends.mail.ts';
import { listLeaving, listTeamsWithLeaving, type TeamWithLeaving } from './leaving.store.ts';

/** Tells members of their end dates, and admins who asked for it every Monday. */
const notices = defineJob({
  name: 'users.end_notices',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '7 * * * *',
});

/** Emails in one transaction. */
const BATCH = 200;
/** Owners that an email names. */
const OWNERS = 3;
/** People that the weekly email names. */
const NAMED = 100;
/** The hour of the day from which the weekly email is sent. */
const HOUR = 8;

/** On any number of nodes, each email is sent once. */
export function createEndNoticesWorker(deps: Deps) {
  return defineWorker(notices, () => sendEndNotices(deps));
}

/** An error is logged and tried again in an hour, and doesn't delay other teams. */
export async function sendEndNotices(deps: Deps): Promise<void> {
  for (const teamId of await listTeamsWithEndNotices(deps.db))
    await tellMembers(deps, teamId).catch((error) => logFailure(deps, teamId, error));
  for (const team of await listTeamsWithLeaving(deps.db, ENDING_SOON_DAYS))
    await tellManagers(deps, team).catch((error) => logFailure(deps, team.id, error));
}

function logFailure({ log }: Deps, team: string, error: unknown): void {
  log.error({ err: error, team }, 'users: could not send emails about end dates');
}

async function tellMembers(deps: Deps, teamId: string): Promise<void> {
  while (await inTransaction(deps.db, (trx) => tellNextMembers(trx, deps, teamId)));
}

/** Returns true if there may be more. */
async function tellNextMembers(trx: Trx, deps: Deps, teamId: string): Promise<boolean> {
  const due = await takeEndNotices(trx, teamId, BATCH);
  const { display_name: team, time_zone: timeZone } = await getTeam(trx, teamId);
  const owners = (await listOwners(trx, teamId)).slice(0, OWNERS).map(({ email }) => email);
  const mails = due.map(({ id, email: to, ends_on, notice }) => ({
    userId: id,
    mail: endingMail(deps.env, { to, team, ends_on, timeZone, isToday: notice === 0, owners }),
  }));
  if (mails.length > 0) await queueMails(trx, deps, { kind: 'users.ending', teamId, mails });
  return due.length === BATCH;
}

/** On Mondays from eight in the morning, where the team is. */
async function tellManagers(deps: Deps, { id: teamId, display_name: team, time_zone, now }: TeamWithLeaving) {
  const { date, hour, weekday } = toLocalTime(now, time_zone);
  if (weekday !== 1 || hour < HOUR) return;
  await inTransaction(deps.db, async (trx) => {
    if (!(await claimEndList(trx, teamId, date))) return;
    const { rows: leaving, total } = await listLeaving(trx, teamId, { days: ENDING_SOON_DAYS, limit: NAMED });
    const recipients = await listManagers(trx, teamId, { except: [], kind: 'leaving' });
    const mails = recipients.map(({ id, email: to }) => ({
      userId: id,
      mail: leavingMail(deps.env, { to, teamId, team, leaving, total }),
    }));
    if (mails.length > 0) await queueMails(trx, deps, { kind: 'notices.leaving', teamId, mails });
  });
}
