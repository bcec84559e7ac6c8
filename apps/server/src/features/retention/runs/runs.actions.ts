import type { RetentionRun } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { computeReach } from '../rules/preview-rules.actions.ts';
import { getPolicies } from '../rules/save-rules.actions.ts';
import { type ProcessClock, processBatches, type SweepDeps, sweep } from './retention.sweep.ts';
import { addRun, findRun, listLatestRuns } from './runs.store.ts';

/** What beginning a run needs. */
interface StartDeps extends Pick<Deps, 'log'> {
  jobs: Pick<Deps['jobs'], 'send'>;
}

/** Who begins runs, and of what. */
export interface StartRunsInput {
  teamId: string;
  /** All that have a rule in force when absent. */
  kinds?: readonly RetentionKind[] | undefined;
  origin: 'night' | 'person' | 'operator';
  startedBy: string | null;
}

/** Begins a run of each kind that has a rule in force, unless one runs; answers those that run now (design §6). */
export async function startRuns(trx: Trx, deps: StartDeps, wanted: StartRunsInput): Promise<RetentionRun[]> {
  const { teamId, kinds = RETENTION_KINDS, origin, startedBy } = wanted;
  const policies = await getPolicies(trx, teamId);
  for (const kind of RETENTION_KINDS.filter((known) => kinds.includes(known))) {
    const { ruling } = policies.of[kind];
    if (ruling === null) deps.log.warn({ team: teamId, kind }, 'the retention rule cannot be read: nothing is deleted');
    const reach = computeReach(teamId, ruling, policies);
    if (reach === null) continue;
    const { clock, cutoff } = reach;
    const runId = await addRun(trx, { teamId, kind, origin, startedBy, clock, cutoff });
    if (runId !== undefined) await deps.jobs.send(trx, sweep, { team_id: teamId, run_id: runId });
  }
  const latest = await listLatestRuns(trx, teamId);
  return latest.filter(({ state, kind }) => state === 'running' && kinds.includes(kind));
}

/** How often to look whether another process has ended a run, in milliseconds. */
const LOOK_MS = 250;

/** Runs what is in force to its end, in this process, as far as no other one does; answers the runs. */
export async function startTeamRuns(
  deps: SweepDeps & StartDeps,
  wanted: StartRunsInput,
  clock: ProcessClock = Date.now,
): Promise<RetentionRun[]> {
  const { teamId } = wanted;
  const begun = await inTransaction(deps.db, (trx) => startRuns(trx, deps, wanted));
  const ended: RetentionRun[] = [];
  for (const { id: runId } of begun) {
    const place = { teamId, runId };
    let run = await findRun(deps.db, place);
    while (run?.state === 'running') {
      const { isOver } = await processBatches(deps, place, { clock, turnMs: 60_000 });
      run = await findRun(deps.db, place);
      if (isOver && run?.state === 'running') await new Promise((done) => setTimeout(done, LOOK_MS));
    }
    if (run) ended.push(run);
  }
  return ended;
}
