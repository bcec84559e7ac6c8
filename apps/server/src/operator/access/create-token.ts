import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { createServiceToken } from './create-token.actions.ts';

/** Makes a service token, with which a chat, meeting or phone service feeds content. */
export const createToken: Command = {
  summary: 'Make a service token, with which a service feeds content',
  notes: [
    'Admins of the team see it in their list, by its name, and can end it. The token is printed here and nowhere else.',
  ],
  options: {
    team: { value: 'id', help: 'Team that it feeds', required: true },
    name: { value: 'text', help: 'What admins see of it (default Service)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const name = read(typed.tokenName, 'name', given.name ?? 'Service');
    return async ({ db }) => {
      const { id, token } = await createServiceToken(db, { teamId, name });
      return { result: { id, token }, lines: [`Token  ${token} (shown this once)`, `Id     ${id}`] };
    };
  },
};
