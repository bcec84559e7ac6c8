import { type Command, Mistake } from './command.ts';
import { fillTeam } from './fill.actions.ts';
import { isTeam } from './fill.store.ts';
import { loadNames } from './names.ts';
import { read, typed } from './typed.ts';

const USERS_MAX = 10_000_000;
const SEED_MAX = 999_999_999;

/** Makes people up for trying and measuring. */
export const fill: Command = {
  summary: 'Add made-up people to a team',
  notes: [
    'The same team and seed always give the same people: with the same number nothing is added a second time, a larger\n' +
      'number adds the rest. Their addresses end in example.com, example.org or example.net, and nobody can sign in as one.',
    'People are all that can be filled until the rooms of other records are built.',
  ],
  options: {
    team: { value: 'id', help: 'Team to fill', required: true },
    users: { value: 'n', help: `How many people, up to ${USERS_MAX}`, required: true },
    seed: { value: 's', help: 'Another number makes other people (default 1)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const users = read(typed.count(USERS_MAX), 'users', given.users);
    const seed = read(typed.count(SEED_MAX), 'seed', given.seed ?? '1');
    return async ({ db }, say) => {
      if (!(await isTeam(db, teamId))) throw new Mistake(`There is no team ${teamId}.`);
      const recipe = { pools: await loadNames(), key: teamId, seed };
      const progress = (done: number) => say(`${done} of ${users} people`);
      const added = await fillTeam(db, { recipe, users, progress });
      return { result: { team_id: teamId, seed, users, added }, lines: [`${added} people were added.`] };
    };
  },
};
