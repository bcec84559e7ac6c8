import { turnOffSso } from '@steward/server/src/features/sso/connection/save-connection.actions.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import { read, typed } from '../option-schemas.ts';

const NONE = 'The team has no single sign-on. Nothing was changed.';

/** For a team that can't sign in because its identity provider fails. */
export const ssoOff: Command = {
  summary: 'Switch off single sign-on for a locked-out team',
  notes: [
    'Its users can then sign in with their passwords; those without one use “Forgot Password”. Settings and links are kept: an owner\n' +
      'can switch it on again in Sign-in Security. Sessions that began by single sign-on end.',
  ],
  options: { team: { value: 'id', help: 'Id of the team', required: true } },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    return async (workspace) => {
      if (!(await isTeam(workspace.db, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
      const sessions = await turnOffSso(workspace, teamId, operatorOrigin());
      if (sessions === undefined) return { result: { team_id: teamId, sessions: 0 }, lines: [NONE] };
      return { result: { team_id: teamId, sessions }, lines: [`Single sign-on is off. ${sessions} sessions ended.`] };
    };
  },
};
