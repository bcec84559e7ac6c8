import { newPassword } from '@steward/server/src/platform/security/new-password.ts';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { addTeamWithOwner } from './create-team.actions.ts';

/** Creates a team and the account of its owner. */
export const createTeam: Command = {
  summary: 'Create a team and its owner',
  notes: [
    'If the email address already has an account, that account becomes the owner and keeps its password.\n' +
      'Otherwise, without --owner-password, the new account gets a random password that is printed only once.',
  ],
  options: {
    name: { value: 'name', help: 'Name of the team', required: true },
    'owner-email': { value: 'email', help: 'Email address of the owner', required: true },
    'owner-password': { value: 'password', help: 'Password for a new account; visible to other users of this machine' },
    'time-zone': { value: 'zone', help: 'Time zone of the team, such as Europe/Berlin (default UTC)' },
  },
  prepare: (given) => {
    const chosen = given['owner-password'];
    const wanted = {
      display_name: read(typed.teamName, 'name', given.name),
      email: read(typed.email, 'owner-email', given['owner-email']),
      time_zone: read(typed.timeZone, 'time-zone', given['time-zone'] ?? 'UTC'),
      password: chosen === undefined ? newPassword() : read(typed.password, 'owner-password', chosen),
    };
    return async ({ db }, say) => {
      const { teamId, ownerId, usedPassword } = await addTeamWithOwner(db, wanted);
      const made = usedPassword && chosen === undefined ? { password: wanted.password } : {};
      if (!usedPassword) say(`${wanted.email} already has an account and keeps its password.`);
      return {
        result: { team_id: teamId, owner_id: ownerId, ...made },
        lines: [
          `Team   ${teamId}`,
          `Owner  ${ownerId} (${wanted.email})`,
          ...(made.password ? [`Password ${made.password} (shown only once)`] : []),
        ],
      };
    };
  },
};
