import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { Failure } from '#platform/api/failure.ts';
import { currentSession } from './session-state.ts';

// An open channel would keep this process running.
Object.assign(globalThis, { BroadcastChannel: undefined });
const { forget, readUserCookie, refreshTeams, showTeam, signInWithCookie, stayInTeam, userCookieRemovals } =
  await import('./session.ts');

const USER = { id: 'u1', first_name: 'Ada', last_name: 'Lovelace' };
const MEMBER = { team_id: 't1', display_name: 'Engines', roles: ['team_user', 'team_admin'] };
const REFUSAL = { status_code: 401, id: 'session.required', message: 'Sign in.', request_id: '' };

const { document, fetch, location } = globalThis;
let sent: string[];
let answers: Record<string, { status: number; body: unknown }>;

beforeEach(() => {
  sent = [];
  answers = {
    '/users/cookie_login': { status: 200, body: USER },
    '/users/u1/teams': { status: 200, body: [{ id: 't1', display_name: 'Engines' }] },
    '/users/u1/teams/members': { status: 200, body: [MEMBER] },
  };
  Object.assign(globalThis, {
    document: { cookie: 'steward_user=u1' },
    location: { hostname: 'localhost' },
    fetch: async (url: string) => {
      const path = url.replace('/api/v4', '');
      sent.push(path);
      const { status, body } = answers[path] ?? { status: 401, body: REFUSAL };
      return Response.json(body, { status });
    },
  });
});

afterEach(() => {
  forget();
  Object.assign(globalThis, { document, fetch, location });
});

test('a sign-in by cookie opens the team of its user', async () => {
  await signInWithCookie();
  assert.deepEqual(sent, ['/users/cookie_login', '/users/u1/teams', '/users/u1/teams/members']);
  assert.equal(currentSession()?.currentTeam.id, 't1');
});

test('concurrent sign-ins by cookie share their calls', async () => {
  const [first, second] = await Promise.all([signInWithCookie(), signInWithCookie()]);
  assert.equal(first, second);
  assert.equal(sent.length, 3);
});

test('the next sign-in after a refusal asks the server again', async () => {
  answers = {};
  await assert.rejects(signInWithCookie(), Failure);
  await assert.rejects(signInWithCookie(), Failure);
  assert.equal(sent.length, 2);
});

test('the user-id cookie is found among others, on http and on https', () => {
  assert.equal(readUserCookie('a=1; steward_user=x'), 'x');
  assert.equal(readUserCookie('__Host-steward_user=x; b=2'), 'x');
  assert.equal(readUserCookie('steward_user=y; __Host-steward_user=x'), 'x');
  assert.equal(readUserCookie('steward_user='), '');
  assert.equal(readUserCookie(''), undefined);
  assert.equal(readUserCookie('not_steward_user=x; steward_username=y; a=steward_user'), undefined);
});

test('the cookie is removed from this host and from the domains above it', () => {
  const removals = userCookieRemovals('admin.team.example');
  assert.equal(removals.filter((removal) => !removal.includes('Domain=')).length, 2);
  assert.deepEqual(
    removals.flatMap((removal) => removal.split('Domain=')[1] ?? []),
    ['admin.team.example', 'team.example'],
  );
  assert.equal(userCookieRemovals('localhost').length, 2);
});

describe('a link to a team', () => {
  const two = [MEMBER, { ...MEMBER, team_id: 't2', display_name: 'Looms' }];
  const show = (members: readonly unknown[]) => {
    answers['/users/u1/teams/members'] = { status: 200, body: members };
  };

  test('applies to this tab, and only a click makes it the last team', async () => {
    show(two);
    await signInWithCookie();
    assert.equal(await showTeam('t2'), true);
    assert.deepEqual([currentSession()?.currentTeam.id, currentSession()?.lastTeamId], ['t2', 't1']);
    stayInTeam();
    assert.deepEqual([currentSession()?.currentTeam.id, currentSession()?.lastTeamId], ['t2', 't2']);
  });

  test('finds a team that the user has managed since a moment ago', async () => {
    await signInWithCookie();
    assert.equal(await showTeam('t2'), false);
    assert.equal(currentSession()?.currentTeam.id, 't1');
    show(two);
    assert.equal(await showTeam('t2'), true);
  });

  test('to one that the user loses leads back to the last team', async () => {
    show([...two, { ...MEMBER, team_id: 't0' }].reverse());
    await signInWithCookie();
    await showTeam('t2');
    stayInTeam();
    await showTeam('t1');
    show([{ ...MEMBER, team_id: 't0' }, two[1]]);
    assert.equal(await refreshTeams(), 'moved');
    assert.deepEqual([currentSession()?.currentTeam.id, currentSession()?.lastTeamId], ['t2', 't2']);
  });
});
