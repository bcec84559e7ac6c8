import assert from 'node:assert/strict';
import type { Role } from '@steward/contract/users/roles';
import { test } from 'vitest';
import { chooseTeam, getAdminTeams, getStatus } from './teams.ts';

const member = (team_id: string, ...roles: Role[]) => ({ team_id, id: 'me', display_name: `Team ${team_id}`, roles });

const teams = getAdminTeams([
  member('a', 'team_user'),
  member('b', 'team_user', 'team_admin'),
  member('c', 'team_owner'),
]);

test('only teams in which the person is admin or owner count', () => {
  assert.deepEqual(
    teams.map(({ id }) => id),
    ['b', 'c'],
  );
  assert.deepEqual(getAdminTeams([member('z', 'zendesk'), member('u', 'team_user')]), []);
});

test('the name of the team wins over the name in the membership', () => {
  assert.equal(getAdminTeams([member('b', 'team_admin')], new Map([['b', 'Harbour']]))[0]?.display_name, 'Harbour');
});

test('the first team is chosen unless a remembered one is still theirs', () => {
  assert.equal(chooseTeam(teams, null)?.id, 'b');
  assert.equal(chooseTeam(teams, 'c')?.id, 'c');
  assert.equal(chooseTeam(teams, 'a')?.id, 'b');
  assert.equal(chooseTeam(teams, 'someone-elses')?.id, 'b');
  assert.equal(chooseTeam([], 'b'), undefined);
});

test('losing the current team moves, losing every team refuses', () => {
  assert.equal(getStatus(teams, 'c'), 'stays');
  assert.equal(getStatus(teams, 'a'), 'moved');
  assert.equal(getStatus([], 'b'), 'refused');
});
