import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { createServiceToken } from './create-token.actions.ts';

/** Creates a service token, with which a chat, meeting or phone service imports content. */
export const createToken: Command = {
  summary: 'Create a service token for importing content',
  notes: [
    'Admins of the team see the token in their list by its name and can remove it. Its value is printed only once.',
  ],
  options: {
    team: { value: 'id', help: 'Team to import content into', required: true },
    name: { value: 'text', help: 'Name shown to admins (default Service)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const name = read(typed.tokenName, 'name', given.name ?? 'Service');
    return async ({ db }) => {
      const { id, token } = await createServiceToken(db, { teamId, name });
      return { result: { id, token }, lines: [`Token  ${token} (shown only once)`, `Id     ${id}`] };
    };
  },
};
