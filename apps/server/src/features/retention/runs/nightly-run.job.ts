import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { listOwners } from '#workspace/people/people.store.ts';
import { getTeamName } from '#workspace/teams/teams.store.ts';
import { computeReach } from '../rules/preview-rules.actions.ts';
import { firstRunMail } from '../rules/retention.mail.ts';
import { nextNight, toNight } from '../rules/retention.rules.ts';
import { findPolicies, listRulesToRemind, markReminded, type WaitingRule } from '../rules/rules.store.ts';
import { claimNight, listTeamNights, type TeamNightRow } from './nightly-run.store.ts';
import { type ProcessClock, SKEW_MS, sweep } from './retention.sweep.ts';
import { RETENTION_TARGETS } from './retention-targets.ts';
import { startRuns } from './runs.actions.ts';
import { listStalledRuns } from './runs.store.ts';

/** Looks every minute what is due: mails before a first run, the night's runs, and runs that nobody works on any more. */
const nights = defineJob({
  name: 'retention.nights',
  payload: z.unknown(),
  retries: 0,
  retrySeconds: 1,
  schedule: '* * * * *',
});

/** Owners are told so long before a rule begins, in hours. */
const REMIND_HOURS = 12;

/** The worker for it; on any number of nodes each mail and each night happens once. */
export function createNightlyWorker(deps: Deps, clock: ProcessClock = Date.now) {
  return defineWorker(nights, () => runDueWork(deps, clock));
}

/** Mails first, so that they leave before the run they speak of. */
export async function runDueWork(deps: Deps, clock: ProcessClock): Promise<void> {
  const listDueReminders = await listRulesToRemind(deps.db, REMIND_HOURS);
  await each(deps, listDueReminders, (waiting) => remind(deps, waiting));
  await each(deps, findDueNights(await listTeamNights(deps.db), clock), (due) =>
    inTransaction(deps.db, async (trx) => {
      if (!(await claimNight(trx, due.team_id, due.night))) return;
      await startRuns(trx, deps, { teamId: due.team_id, origin: 'night', startedBy: null });
    }),
  );
  await each(deps, await listStalledRuns(deps.db), ({ team_id, id }) =>
    inTransaction(deps.db, (trx) => deps.jobs.send(trx, sweep, { team_id, run_id: id })),
  );
}

/** One team after another: what goes wrong with one is logged, tried again in a minute, and keeps nobody else waiting. */
async function each<Due extends { team_id: string }>(
  { log }: Deps,
  due: readonly Due[],
  work: (item: Due) => Promise<void>,
): Promise<void> {
  for (const item of due) {
    await work(item).catch((error) => log.error({ err: error, team: item.team_id }, 'retention: what is due failed'));
  }
}

/** Teams whose clock has passed 02:00 since their last night. No night is taken while the clocks disagree. */
function findDueNights(teams: readonly TeamNightRow[], clock: ProcessClock): { team_id: string; night: string }[] {
  const now = teams[0]?.now ?? 0;
  if (Math.abs(now - clock()) > SKEW_MS) return [];
  const zones = new Map<string, string>();
  return teams.flatMap(({ team_id, time_zone, night: last }) => {
    const night = zones.get(time_zone) ?? toNight(now, time_zone);
    zones.set(time_zone, night);
    return night > last ? [{ team_id, night }] : [];
  });
}

async function remind(deps: Deps, waiting: WaitingRule): Promise<void> {
  const { team_id: teamId, kind } = waiting;
  const policies = await findPolicies(deps.db, teamId);
  const next = policies?.of[kind].waiting;
  const rule = next?.rule ?? policies?.of[kind].ruling;
  const reach = policies && rule ? computeReach(teamId, rule, policies) : null;
  const told = policies &&
    rule &&
    reach && {
      kind,
      rule,
      timeZone: policies.timeZone,
      effectiveAt: next?.effectiveAt ?? policies.now,
      firstRunAt: nextNight(next?.effectiveAt ?? policies.now, policies.timeZone),
      reached: await deps.slowQueryLimiter(() => RETENTION_TARGETS[kind].countExpired(deps.slowQueryPool, reach)),
    };
  await inTransaction(deps.db, async (trx) => {
    if ((await markReminded(trx, waiting)) && told) await mailOwners(trx, deps, { teamId, ...told });
  });
}

async function mailOwners(
  trx: Trx,
  deps: Deps,
  { teamId, ...told }: { teamId: string } & Omit<Parameters<typeof firstRunMail>[1], 'to' | 'team'>,
): Promise<void> {
  const team = await getTeamName(trx, teamId);
  for (const { id, email } of await listOwners(trx, teamId)) {
    const mail = firstRunMail(deps.env, { to: email, team, ...told });
    await queueMail(trx, deps, { kind: 'retention.first_run', teamId, personId: id, mail });
  }
}
