import { RetentionKind } from '@steward/contract/retention/fields';
import { startTeamRuns } from '#features/retention/runs/runs.actions.ts';
import { createLog } from '#platform/observability/log.ts';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import { read, typed } from '../option-schemas.ts';

/** Deletes what the rules in force have given up, now and to the end. */
export const retentionRun: Command = {
  summary: 'Run the retention of a team now',
  notes: [
    'It does what the nightly run does: rules that still wait for their 24 hours delete nothing. Beside a server, each\n' +
      'run is worked on by one of the two; broken off, the server goes on with it after a minute.',
    'It ends with an error when a run was refused or failed, or had to keep something that could not be deleted.',
  ],
  options: {
    team: { value: 'id', help: 'Team whose rules to run', required: true },
    kind: { value: 'kind', help: `Only this one: ${RetentionKind.options.join(', ')}` },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const kinds = given.kind === undefined ? undefined : [read(typed.retentionKind, 'kind', given.kind)];
    return async ({ db, blobs, env }, say) => {
      if (!(await isTeam(db, teamId))) throw new Mistake(`There is no team ${teamId}.`);
      // Whoever runs the command sees the outcome; the log is for the server.
      const log = createLog(env.LOG_LEVEL, { write: (line) => say(line.trimEnd()) });
      const jobs = { send: async () => undefined };
      const runs = await startTeamRuns(
        { db, blobs, log, jobs },
        { teamId, kinds, origin: 'operator', startedBy: null },
      );
      const lines = runs.map(({ kind, state, deleted, bytes, failed, note }) =>
        [`${kind}: ${state}, ${deleted} deleted (${bytes} bytes), ${failed} kept for now`, note]
          .filter(Boolean)
          .join('. '),
      );
      const isWhole = runs.every(({ state, failed }) => (state === 'finished' || state === 'stopped') && failed === 0);
      return {
        result: { team_id: teamId, runs },
        lines: lines.length > 0 ? lines : ['No rule is in force, so there is nothing to run.'],
        ...(isWhole ? {} : { failed: true }),
      };
    };
  },
};
