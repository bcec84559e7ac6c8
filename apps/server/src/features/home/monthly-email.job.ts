import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { toLocalTime } from '#workspace/users/end-dates.rules.ts';
import { listManagers, listTeamsForMonthlyEmail, type TeamOfOwners } from '#workspace/users/managers.store.ts';
import { claimMonthlyEmail } from '#workspace/users/teams.store.ts';
import { type MonthlyFigures, monthlyMail } from './monthly-email.mail.ts';
import { countStorage } from './storage.store.ts';
import { summarizeIntegrations, summarizePeople, summarizeRetention, summarizeSignIn } from './summary.store.ts';

/** Sends owners who asked for it the numbers of Home on the first day of each month. */
const monthlyEmail = defineJob({
  name: 'home.monthly_email',
  schedule: '27 * * * *',
});

/** The hour of the day from which the email is sent, where the team is. */
const HOUR = 8;
const LAST_DAY = 7;

/** On any number of nodes, a team gets the email once a month. */
export function createMonthlyEmailWorker(deps: Deps) {
  return defineWorker(monthlyEmail, () => sendMonthlyEmails(deps));
}

/** An error is logged and tried again in an hour, and doesn't delay other teams. */
export async function sendMonthlyEmails(deps: Deps): Promise<void> {
  for (const team of await listTeamsForMonthlyEmail(deps.db)) {
    await sendToOwners(deps, team).catch((error) => {
      deps.log.error({ err: error, team: team.id }, 'home: could not send the monthly email');
    });
  }
}

/** A server that was down on the first day sends it within the first week. Who switches it on later waits for the next month. */
async function sendToOwners(deps: Deps, { id: teamId, display_name: team, time_zone, now }: TeamOfOwners) {
  const { date, hour } = toLocalTime(now, time_zone);
  if (hour < HOUR || Number(date.slice(-2)) > LAST_DAY) return;
  // Counted outside the transaction that sends, because it may take a while.
  const figures = await collectFigures(deps, teamId);
  await inTransaction(deps.db, async (trx) => {
    if (!(await claimMonthlyEmail(trx, teamId, date))) return;
    const recipients = await listManagers(trx, teamId, { except: [], kind: 'monthly' });
    const mails = recipients
      .filter(({ is_owner }) => is_owner)
      .map(({ id, email: to }) => ({ userId: id, mail: monthlyMail(deps.env, { to, teamId, team, figures }) }));
    if (mails.length > 0) await queueMails(trx, deps, { kind: 'notices.monthly', teamId, mails });
  });
}

async function collectFigures({ db, replica, countQueue }: Deps, teamId: string): Promise<MonthlyFigures> {
  return {
    people: await summarizePeople(db, teamId),
    signIn: await summarizeSignIn(db, teamId),
    storage: await countQueue.run({ key: teamId }, () => replica.count((counting) => countStorage(counting, teamId))),
    retention: await summarizeRetention(db, teamId),
    integrations: await summarizeIntegrations(db, teamId),
  };
}
