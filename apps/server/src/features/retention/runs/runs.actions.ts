import { setTimeout as pause } from 'node:timers/promises';
import type { RetentionRun } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { findRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { getCurrentScope } from '#workspace/content/retention/retention-scope.rules.ts';
import { getTeamRules } from '../rules/save-rules.actions.ts';
import { type ProcessClock, processBatches, type SweepDeps, sweep } from './retention.sweep.ts';
import { addRun, findRun, listLatestRuns } from './runs.store.ts';

interface StartDeps extends Pick<Deps, 'log'> {
  jobs: Pick<Deps['jobs'], 'send'>;
}

export interface StartRunsInput {
  teamId: string;
  /** Absent means all kinds with a rule. */
  kinds?: readonly RetentionKind[] | undefined;
  origin: 'night' | 'person' | 'operator';
  startedBy: string | null;
}

/** Starts a run of each kind whose rule deletes something, unless one is running; returns the running ones. */
export async function startRuns(trx: Trx, deps: StartDeps, input: StartRunsInput): Promise<RetentionRun[]> {
  const { teamId, kinds = RETENTION_KINDS, origin, startedBy } = input;
  const rules = await getTeamRules(trx, teamId);
  const { current: recoverableDays } = (await findRecovery(trx, teamId)).state;
  for (const kind of RETENTION_KINDS.filter((known) => kinds.includes(known))) {
    const { current } = rules.byKind[kind];
    if (current === null)
      deps.log.warn({ team: teamId, kind }, 'the retention rule cannot be read: nothing is deleted');
    const scope = getCurrentScope(teamId, kind, rules);
    if (scope === null) continue;
    const { clock, cutoff } = scope;
    const runId = await addRun(trx, { teamId, kind, origin, startedBy, clock, cutoff, recoverableDays });
    if (runId !== undefined) await deps.jobs.send(trx, sweep, { team_id: teamId, run_id: runId });
  }
  const latest = await listLatestRuns(trx, teamId);
  return latest.filter(({ state, kind }) => state === 'running' && kinds.includes(kind));
}

/** Milliseconds between checks that another process has ended a run. */
const POLL_MS = 250;

/** Processes the runs to the end in this process, except those that another process holds. */
export async function startTeamRuns(
  deps: SweepDeps & StartDeps,
  input: StartRunsInput,
  clock: ProcessClock = Date.now,
): Promise<RetentionRun[]> {
  const { teamId } = input;
  const started = await inTransaction(deps.db, (trx) => startRuns(trx, deps, input));
  const ended: RetentionRun[] = [];
  for (const { id: runId } of started) {
    const key = { teamId, runId };
    let run = await findRun(deps.db, key);
    while (run?.state === 'running') {
      const { isOver } = await processBatches(deps, key, { clock, turnMs: 60_000 });
      run = await findRun(deps.db, key);
      if (isOver && run?.state === 'running') await pause(POLL_MS);
    }
    if (run) ended.push(run);
  }
  return ended;
}
