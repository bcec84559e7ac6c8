import { RetentionKind } from '@steward/contract/retention/fields';
import { startTeamRuns } from '@steward/server/src/features/retention/runs/runs.actions.ts';
import { createLog } from '@steward/server/src/platform/observability/log.ts';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import { read, typed } from '../option-schemas.ts';

/** Deletes everything that is due under the team's current rules before it returns. */
export const retentionRun: Command = {
  summary: 'Run retention for a team now',
  notes: [
    'Does what the nightly run does: scheduled rules that have not taken effect delete nothing. It is safe while a server\n' +
      'runs. If you interrupt it, the server continues the run after a minute.',
    'Fails if a run was refused or failed, or if something could not be deleted.',
  ],
  options: {
    team: { value: 'id', help: 'Team to run retention for', required: true },
    kind: { value: 'kind', help: `Only this kind: ${RetentionKind.options.join(', ')}` },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const kinds = given.kind === undefined ? undefined : [read(typed.retentionKind, 'kind', given.kind)];
    return async ({ db, blobs, env, secrets }, say) => {
      if (!(await isTeam(db, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
      // The operator sees the outcome; the log goes to standard error.
      const log = createLog(env.LOG_LEVEL ?? 'info', { write: (line) => say(line.trimEnd()) });
      const jobs = { send: async () => undefined, sendUrgent: async () => undefined, sendMany: async () => undefined };
      const runs = await startTeamRuns(
        { db, blobs, log, jobs, secrets },
        { teamId, kinds, origin: 'operator', startedBy: null },
      );
      const lines = runs.map(({ kind, state, deleted, bytes, failed, note }) =>
        [`${kind}: ${state}, ${deleted} deleted (${bytes} bytes), ${failed} not deleted`, note]
          .filter(Boolean)
          .join('. '),
      );
      const isWhole = runs.every(({ state, failed }) => (state === 'finished' || state === 'stopped') && failed === 0);
      return {
        result: { team_id: teamId, runs },
        lines: lines.length > 0 ? lines : ['No retention rules apply. Nothing to run.'],
        ...(isWhole ? {} : { failed: true }),
      };
    };
  },
};
