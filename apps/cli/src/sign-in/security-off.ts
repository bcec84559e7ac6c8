import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { clearSecurityPolicy } from './security-off.actions.ts';

/** Lets a team in again whose own sign-in security shuts its owners out. */
export const securityOff: Command = {
  summary: "Clear a team's sign-in security, when it shuts every owner out",
  notes: [
    'Clears required second factors, limits of sessions and allowed networks. Takes effect on every server with the next request.',
  ],
  options: { team: { value: 'id', help: 'Id of the team', required: true } },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    return async ({ db }) => {
      const isCleared = await clearSecurityPolicy(db, teamId);
      const line = isCleared ? 'Sign-in security cleared.' : 'The team had no sign-in security. Nothing was changed.';
      return { result: { cleared: isCleared }, lines: [line] };
    };
  },
};
