import { ContentKind } from '@steward/contract/content';
import type { Command } from '../command.ts';
import { read, typed } from '../option-schemas.ts';
import { createServiceToken } from './create-token.actions.ts';

/** Creates a service token, with which a chat, meeting or phone service imports content. */
export const createToken: Command = {
  summary: 'Create a service token for importing content',
  notes: [
    'Owners of the team see the token in their list by its name and can remove it. Its value is printed only once.',
    'It counts as created by the first owner of the team, and stops when that person is no longer an owner.',
    `Kinds: ${ContentKind.options.join(', ')}.`,
  ],
  options: {
    team: { value: 'id', help: 'Team to import content into', required: true },
    name: { value: 'text', help: 'Name shown to owners and admins (default Service)' },
    kinds: { value: 'list', help: 'Kinds of content it may import, with commas between (default all)' },
    'speak-for-users': { help: 'Let lines name the user they are from' },
    expires: { value: 'day', help: 'First day on which it is no longer valid, such as 2027-01-31 (default in a year)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const name = read(typed.tokenName, 'name', given.name ?? 'Service');
    const kinds = given.kinds === undefined ? undefined : read(typed.contentKinds, 'kinds', given.kinds);
    const expiresAt = given.expires === undefined ? undefined : read(typed.day, 'expires', given.expires);
    const speakForUsers = given.switches.has('speak-for-users');
    return async ({ db }) => {
      const { id, token } = await createServiceToken(db, { teamId, name, kinds, speakForUsers, expiresAt });
      return { result: { id, token }, lines: [`Token  ${token} (shown only once)`, `Id     ${id}`] };
    };
  },
};
