import assert from 'node:assert/strict';
import { test } from 'node:test';
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
  sent_at: null,
};

test('a team needs a name that can be seen, of at most 100 characters, and no web address', () => {
  assert.equal(teamProblem('Northwind'), undefined);
  assert.equal(teamProblem('  '), 'Name is required.');
  assert.equal(teamProblem('\u200b'), 'Name is required.');
  assert.equal(teamProblem('n'.repeat(101)), 'The name must have at most 100 characters.');
  assert.equal(teamProblem('https://evil.example'), 'The name must not be a web address.');
});

test('an email address is one by the contract', () => {
  assert.equal(emailProblem(' Olivia@example.test '), undefined);
  assert.equal(emailProblem(''), 'Email is required.');
  assert.equal(emailProblem('olivia@'), 'This is not an email address.');
  assert.equal(emailProblem(`${'o'.repeat(300)}@example.test`), 'This is too long.');
});

test('each row says what is wrong with it; empty ones are fine', () => {
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

test('no more than ten people are invited', () => {
  const rows = Array.from({ length: 11 }, (_, at) => `p${at}@example.test`);
  assert.equal(rowProblems(rows, '')[9], undefined);
  assert.equal(rowProblems(rows, '')[10], 'You can invite up to 10 people.');
});

test('what is sent is trimmed and lowercased, without the empty rows', () => {
  assert.deepEqual(getInvitees(FULL), ['kim@example.test', 'bob@example.test']);
  assert.deepEqual(toRequest(FULL), {
    team_name: 'Northwind',
    owner_email: 'olivia@example.test',
    invitees: ['kim@example.test', 'bob@example.test'],
  });
});

test('somebody is taken off the list by the address as it is sent', () => {
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

test('a step of before is open again, also with an answer that is not right yet', () => {
  assert.equal(openStep(FULL, 'owner'), 'owner');
  assert.equal(openStep({ ...FULL, owner_email: 'olivia@' }, 'owner'), 'owner');
});

test('an address that names no step leads to the first', () => {
  for (const wanted of [undefined, '', 'nonsense', '3', 'toString']) assert.equal(openStep(FULL, wanted), 'team');
});

test('a step knows the ones beside it', () => {
  assert.equal(stepBefore('owner'), 'team');
  assert.equal(stepBefore('confirm'), 'review');
  assert.equal(stepAfter('team'), 'owner');
  assert.equal(stepAfter('confirm'), 'done');
});

test('another answer needs another mail', () => {
  assert.equal(edited({ ...FULL, sent_at: 1 }, { owner_email: 'new@example.test' }).sent_at, null);
  assert.equal(edited({ ...FULL, sent_at: 1 }, { sent_at: 2 }).sent_at, 2);
});

test('a draft survives being kept; whatever else is kept there begins anew', () => {
  assert.deepEqual(parseDraft(JSON.stringify(FULL)), FULL);
  for (const kept of [null, '', 'null', '[]', '{"team_name":1}', '{"team_name":"x"}']) {
    assert.deepEqual(parseDraft(kept), EMPTY_DRAFT, String(kept));
  }
});

test('the next mail waits for 30 seconds, but not for a clock that was set back', () => {
  assert.equal(waitAfter(1_000, 1_000), 30);
  assert.equal(waitAfter(1_000, 30_999), 1);
  assert.equal(waitAfter(1_000, 31_000), 0);
  assert.equal(waitAfter(90_000, 1_000), 0);
  assert.equal(waitAfter(null, 90_000), 0);
});
