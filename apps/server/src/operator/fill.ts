import { type Command, Mistake } from './command.ts';
import { fillEntries, fillPeople } from './fill.actions.ts';
import { isTeam } from './fill.store.ts';
import { loadNames } from './names.ts';
import { read, typed } from './typed.ts';

const ROWS_MAX = 10_000_000;
const SEED_MAX = 999_999_999;

/** Makes people and directory entries up for trying and measuring. */
export const fill: Command = {
  summary: 'Add made-up people and directory entries to a team',
  notes: [
    'The same team and seed always give the same people and entries: with the same number nothing is added a second\n' +
      'time, a larger number adds the rest. Addresses end in example.com, example.org or example.net, telephone numbers\n' +
      'are of those kept for fiction, and nobody can sign in as one of the people.',
    'People come first, so that entries are linked to those with the same address. They and entries are all that can be\n' +
      'filled until the rooms of other records are built.',
  ],
  options: {
    team: { value: 'id', help: 'Team to fill', required: true },
    users: { value: 'n', help: `How many people, up to ${ROWS_MAX}` },
    entries: { value: 'n', help: `How many entries of the company directory, up to ${ROWS_MAX}` },
    seed: { value: 's', help: 'Another number makes others (default 1)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    if (given.users === undefined && given.entries === undefined) throw new Mistake('--users or --entries is missing.');
    const users = read(typed.count(ROWS_MAX), 'users', given.users ?? '0');
    const entries = read(typed.count(ROWS_MAX), 'entries', given.entries ?? '0');
    const seed = read(typed.count(SEED_MAX), 'seed', given.seed ?? '1');
    return async ({ db }, say) => {
      if (!(await isTeam(db, teamId))) throw new Mistake(`There is no team ${teamId}.`);
      const recipe = { pools: await loadNames(), key: teamId, seed };
      const of = (count: number, what: string) => ({
        recipe,
        count,
        progress: (done: number) => say(`${done} of ${count} ${what}`),
      });
      const added = {
        users: await fillPeople(db, of(users, 'people')),
        entries: await fillEntries(db, of(entries, 'entries')),
      };
      const lines = [
        ...(given.users === undefined ? [] : [`${added.users} people were added.`]),
        ...(given.entries === undefined ? [] : [`${added.entries} directory entries were added.`]),
      ];
      return { result: { team_id: teamId, seed, users, entries, added }, lines };
    };
  },
};
