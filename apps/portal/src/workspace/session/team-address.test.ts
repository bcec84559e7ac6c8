import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { type Session, setSession } from './session-state.ts';
import { findTeamId, nameTeam, readTeam } from './team-address.ts';

const team = (id: string) => ({ id, display_name: id, roles: ['team_admin'] });
const session = (...ids: string[]) =>
  setSession({ teams: ids.map(team), currentTeam: team(ids[0] ?? ''), lastTeamId: '' } as unknown as Session);
const build = (search: { team?: string }) => nameTeam({ search: {}, next: () => search });

afterEach(() => setSession(null));

test('an address names the team of the tab if there are several, unless it names one itself', () => {
  assert.deepEqual(build({}), {});
  session('a');
  assert.deepEqual(build({}), {});
  session('b', 'c');
  assert.deepEqual(build({}), { team: 'b' });
  assert.deepEqual(build({ team: 'c' }), { team: 'c' });
});

test('an empty or repeated team in an address counts as none', () => {
  assert.deepEqual(readTeam({ team: '' }), {});
  assert.deepEqual(readTeam({ team: 7 }), {});
  assert.equal(findTeamId('/users/users?search=a&team=x#y'), 'x');
  assert.equal(findTeamId('/users/users'), undefined);
  assert.equal(findTeamId(undefined), undefined);
});
