import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { addTeamWithOwner } from './create-team.actions.ts';
import { newPassword } from './new-password.ts';

/** Makes a team and the account that owns it. */
export const createTeam: Command = {
  summary: 'Make a team with its owner',
  notes: [
    'An address that has an account already becomes the owner with it, and keeps its password.\n' +
      'Without --owner-password a new account gets a random password, which is printed here and nowhere else.',
  ],
  options: {
    name: { value: 'name', help: 'Name of the team', required: true },
    'owner-email': { value: 'email', help: 'Who owns it', required: true },
    'owner-password': { value: 'password', help: 'Password of a new owner; other users of the machine can see it' },
    'time-zone': { value: 'zone', help: 'Zone of its days, such as Europe/Berlin (default UTC)' },
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
      if (!usedPassword) say(`${wanted.email} has a password already and keeps it.`);
      return {
        result: { team_id: teamId, owner_id: ownerId, ...made },
        lines: [
          `Team   ${teamId}`,
          `Owner  ${ownerId} (${wanted.email})`,
          ...(made.password ? [`Password ${made.password} (shown this once)`] : []),
        ],
      };
    };
  },
};
