import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { nextNight, toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { claimNight, listTeamNights, type TeamNight } from '#workspace/content/retention/nights.store.ts';
import { findRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { getRetentionScope } from '#workspace/content/retention/retention-scope.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { listOwners } from '#workspace/users/managers.store.ts';
import { getTeamName } from '#workspace/users/teams.store.ts';
import { firstRunMail, type UpcomingRule } from '../rules/retention.mail.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { type DueReminder, listDueReminders, markReminded } from '../rules/rules.store.ts';
import { type ProcessClock, SKEW_MS, sweep } from './retention.sweep.ts';
import { startRuns } from './runs.actions.ts';
import { listStalledRuns } from './runs.store.ts';

/** Checks every minute for due work: reminders before a first run, the night's runs, and stalled runs. */
const nights = defineJob({
  name: 'retention.nights',
  schedule: '* * * * *',
});

/** Owners are reminded this many hours before a rule takes effect. */
const REMIND_HOURS = 12;

/** The worker of the nightly job; on any number of nodes, each email is sent and each night claimed once. */
export function createNightlyWorker(deps: Deps, clock: ProcessClock = Date.now) {
  return defineWorker(nights, () => runDueWork(deps, clock));
}

/** Emails come first, so that they precede the run they announce. */
export async function runDueWork(deps: Deps, clock: ProcessClock): Promise<void> {
  await forEachTeam(deps, await listDueReminders(deps.db, REMIND_HOURS), (due) => remind(deps, due));
  await forEachTeam(deps, findDueNights(await listTeamNights(deps.db), clock), (due) =>
    inTransaction(deps.db, async (trx) => {
      if (!(await claimNight(trx, due.team_id, due.night))) return;
      await startRuns(trx, deps, { teamId: due.team_id, origin: 'night', startedBy: null });
    }),
  );
  await forEachTeam(deps, await listStalledRuns(deps.db), ({ team_id, id }) =>
    inTransaction(deps.db, (trx) => deps.jobs.send(trx, sweep, { team_id, run_id: id })),
  );
}

/** An error is logged and retried in a minute, and doesn't delay other teams. */
async function forEachTeam<Due extends { team_id: string }>(
  { log }: Deps,
  due: readonly Due[],
  work: (item: Due) => Promise<void>,
): Promise<void> {
  for (const item of due) {
    await work(item).catch((error) => log.error({ err: error, team: item.team_id }, 'retention: due work failed'));
  }
}

/** Teams whose clock has passed 02:00 since their last night. No night is claimed while the clocks disagree. */
function findDueNights(teams: readonly TeamNight[], clock: ProcessClock): { team_id: string; night: string }[] {
  const now = teams[0]?.now ?? 0;
  if (Math.abs(now - clock()) > SKEW_MS) return [];
  const nightByZone = new Map<string, string>();
  return teams.flatMap(({ team_id, time_zone, night: last }) => {
    const night = nightByZone.get(time_zone) ?? toNight(now, time_zone);
    nightByZone.set(time_zone, night);
    return night > last ? [{ team_id, night }] : [];
  });
}

async function remind(deps: Deps, due: DueReminder): Promise<void> {
  const upcoming = await findUpcomingRule(deps, due);
  await inTransaction(deps.db, async (trx) => {
    if ((await markReminded(trx, due)) && upcoming) await mailOwners(trx, deps, { teamId: due.team_id, ...upcoming });
  });
}

/** The scheduled rule, or the current one if its time has just passed; null if it deletes nothing. */
async function findUpcomingRule(
  deps: Deps,
  { team_id: teamId, kind }: DueReminder,
): Promise<(UpcomingRule & { timeZone: string }) | null> {
  const rules = await findTeamRules(deps.db, teamId);
  if (!rules) return null;
  const { current, scheduled } = rules.byKind[kind];
  const rule = scheduled?.rule ?? current;
  const savedAt = scheduled ? scheduled.effectiveAt - RETENTION_WAIT_MS : rules.savedAt[kind];
  const scope = getRetentionScope(teamId, rule, { ...rules, savedAt, holds: holdsOn(kind, rules.holds) });
  if (!rule || !scope) return null;
  const { timeZone, now } = rules;
  const effectiveAt = scheduled?.effectiveAt ?? now;
  const count = () => RETENTION_TARGETS[kind].countExpired(deps.slowQueryPool, scope);
  const expired = await deps.countQueue.run({ key: teamId }, count);
  return { kind, rule, timeZone, effectiveAt, firstRunAt: nextNight(effectiveAt, timeZone), expired };
}

async function mailOwners(
  trx: Trx,
  deps: Deps,
  { teamId, ...upcoming }: { teamId: string; timeZone: string } & UpcomingRule,
): Promise<void> {
  const team = await getTeamName(trx, teamId);
  const { current: recoverableDays } = (await findRecovery(trx, teamId)).state;
  for (const { id, email } of await listOwners(trx, teamId)) {
    const mail = firstRunMail(deps.env, { to: email, teamId, team, recoverableDays, ...upcoming });
    await queueMail(trx, deps, { kind: 'retention.first_run', teamId, userId: id, mail });
  }
}
