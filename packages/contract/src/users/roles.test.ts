import assert from 'node:assert/strict';
import { test } from 'vitest';
import { AccountType, accountKind, isAdminOfTeam, Role, toAccountType, toRoles } from './roles.ts';

test('the account kind is derived from roles and type; Zendesk takes precedence, then a pending invitation', () => {
  const cases: [string[], number, string][] = [
    [['team_user', 'team_admin', 'team_owner'], 2, 'Team Owner'],
    [['team_owner', 'team_user', 'team_admin'], 2, 'Team Owner'],
    [['team_user', 'team_admin'], 2, 'Team Admin'],
    [['team_user'], 2, 'Team User'],
    [[], 2, 'Team User'],
    [['team_admin'], 2, 'Team User'],
    [['team_owner'], 2, 'Team User'],
    [['team_user', 'team_owner'], 2, 'Team User'],
    [['zendesk'], 2, 'Zendesk'],
    [['zendesk', 'team_user', 'team_admin', 'team_owner'], 2, 'Zendesk'],
    [['zendesk'], 1, 'Zendesk'],
    [['team_user', 'team_admin', 'team_owner'], 1, 'Pending Invitee'],
    [['team_user'], 0, 'Pending Invitee'],
    [['team_user'], 3, 'Pending Invitee'],
  ];
  for (const [roles, type, kind] of cases) assert.equal(accountKind({ roles, type }), kind, `${roles} ${type}`);
});

test('only admins and owners are admins of a team', () => {
  for (const roles of [['team_admin'], ['team_owner'], ['team_user', 'team_admin']]) assert.ok(isAdminOfTeam(roles));
  for (const roles of [[], ['team_user'], ['zendesk'], ['TEAM_ADMIN'], ['team_admins']])
    assert.ok(!isAdminOfTeam(roles));
});

test('an account type is converted to roles, never to an owner, and back', () => {
  assert.deepEqual(toRoles(1), ['team_user', 'team_admin']);
  assert.deepEqual(toRoles(2), ['team_user']);
  for (const type of [1, 2] as const) assert.equal(toAccountType(toRoles(type)), type);
  assert.equal(toAccountType(['team_owner']), 1);
  assert.equal(toAccountType([]), 2);
});

test('account types are the numbers 1 and 2, and there are four roles', () => {
  for (const bad of [0, 3, '1', true, 1.5, null, [1]]) assert.ok(!AccountType.safeParse(bad).success, String(bad));
  assert.deepEqual(Role.options, ['team_user', 'team_admin', 'team_owner', 'zendesk']);
});
