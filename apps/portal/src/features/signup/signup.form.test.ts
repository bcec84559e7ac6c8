import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  type Draft,
  EMPTY_DRAFT,
  edited,
  emailProblem,
  getInvitees,
  openStep,
  parseDraft,
  rowProblems,
  stepAfter,
  stepBefore,
  teamProblem,
  toRequest,
  waitAfter,
  withoutInvitee,
} from './signup.form.ts';

const FULL: Draft = {
  team_name: ' Northwind ',
  owner_email: 'Olivia@Example.test',
  invitees: ['kim@example.test', '', ' Bob@example.test '],
  time_zone: 'Asia/Tokyo',
  sent_at: null,
};

test('a team name is visible text of at most 100 characters without a URL', () => {
  assert.equal(teamProblem('Northwind'), undefined);
  assert.equal(teamProblem('  '), 'Name is required.');
  assert.equal(teamProblem('\u200b'), 'Name is required.');
  assert.equal(teamProblem('n'.repeat(101)), 'The name must have at most 100 characters.');
  assert.equal(teamProblem('https://evil.example'), 'The name must not be a web address.');
});

test('email addresses are validated by the contract', () => {
  assert.equal(emailProblem(' Olivia@example.test '), undefined);
  assert.equal(emailProblem(''), 'Email is required.');
  assert.equal(emailProblem('olivia@'), 'This is not an email address.');
  assert.equal(emailProblem(`${'o'.repeat(300)}@example.test`), 'This is too long.');
});

test('each row has its own error, and empty rows are valid', () => {
  assert.deepEqual(
    rowProblems(
      ['kim@example.test', '', 'kim', ' KIM@example.test', 'olivia@example.test', 'bob@example.test'],
      'Olivia@example.test',
    ),
    [
      undefined,
      undefined,
      'This is not an email address.',
      'This address is already listed.',
      "This is your own address. You'll be in the team anyway.",
      undefined,
    ],
  );
});

test('at most ten users can be invited', () => {
  const rows = Array.from({ length: 11 }, (_, at) => `p${at}@example.test`);
  assert.equal(rowProblems(rows, '')[9], undefined);
  assert.equal(rowProblems(rows, '')[10], 'You can invite up to 10 people.');
});

test('the request is trimmed and lowercased, without the empty rows', () => {
  assert.deepEqual(getInvitees(FULL), ['kim@example.test', 'bob@example.test']);
  assert.deepEqual(toRequest(FULL), {
    team_name: 'Northwind',
    owner_email: 'olivia@example.test',
    invitees: ['kim@example.test', 'bob@example.test'],
    time_zone: 'Asia/Tokyo',
  });
});

test('an invitee is removed by the normalized address', () => {
  assert.deepEqual(withoutInvitee(FULL, 'bob@example.test').invitees, ['kim@example.test', '']);
});

test('the steps open one after another', () => {
  assert.equal(openStep(EMPTY_DRAFT, 'confirm'), 'team');
  assert.equal(openStep({ ...EMPTY_DRAFT, team_name: 'Northwind' }, 'review'), 'owner');
  assert.equal(openStep({ ...FULL, invitees: ['kim'] }, 'confirm'), 'invite');
  assert.equal(openStep({ ...FULL, invitees: [] }, 'confirm'), 'confirm');
  assert.equal(openStep(FULL, 'done'), 'confirm');
  assert.equal(openStep({ ...FULL, sent_at: 1 }, 'done'), 'done');
});

test('an earlier step can be opened again, even if its answer is not valid yet', () => {
  assert.equal(openStep(FULL, 'owner'), 'owner');
  assert.equal(openStep({ ...FULL, owner_email: 'olivia@' }, 'owner'), 'owner');
});

test('an unknown step leads to the first one', () => {
  for (const wanted of [undefined, '', 'nonsense', '3', 'toString']) assert.equal(openStep(FULL, wanted), 'team');
});

test('each step has a previous and a next step', () => {
  assert.equal(stepBefore('owner'), 'team');
  assert.equal(stepBefore('confirm'), 'review');
  assert.equal(stepAfter('team'), 'owner');
  assert.equal(stepAfter('confirm'), 'done');
});

test('another answer requires another email', () => {
  assert.equal(edited({ ...FULL, sent_at: 1 }, { owner_email: 'new@example.test' }).sent_at, null);
  assert.equal(edited({ ...FULL, sent_at: 1 }, { sent_at: 2 }).sent_at, 2);
});

test('a stored draft is restored; anything else is discarded', () => {
  assert.deepEqual(parseDraft(JSON.stringify(FULL)), FULL);
  for (const kept of [null, '', 'null', '[]', '{"team_name":1}', '{"team_name":"x"}']) {
    assert.deepEqual(parseDraft(kept), EMPTY_DRAFT, String(kept));
  }
});

test('the next email can be sent after 30 seconds, or immediately if the clock was set back', () => {
  assert.equal(waitAfter(1_000, 1_000), 30);
  assert.equal(waitAfter(1_000, 30_999), 1);
  assert.equal(waitAfter(1_000, 31_000), 0);
  assert.equal(waitAfter(90_000, 1_000), 0);
  assert.equal(waitAfter(null, 90_000), 0);
});
