import assert from 'node:assert/strict';
import { test } from 'vitest';
import { formatMoment } from '#platform/time/format.ts';
import { describeNext } from './confirm.queries.ts';

const LINK = { mode: '1', email: 'ada@example.test', team_name: 'Acme', invited: false, first: '', last: '' } as const;
const UNTIL = Date.UTC(2026, 10, 28, 16, 20);

test('the page says until when the sign-in creates the team, and how many it invites', () => {
  const sentence = (inviting: string) =>
    `To create the team Acme${inviting}, sign in as ada@example.test with your password or a passkey by ${formatMoment(UNTIL)}. Nothing is created before that.`;
  assert.equal(describeNext({ ...LINK, sign_in_until: UNTIL, invitees: 0 }), sentence(''));
  assert.equal(describeNext({ ...LINK, sign_in_until: UNTIL, invitees: 1 }), sentence(' and invite 1 person'));
  assert.equal(describeNext({ ...LINK, sign_in_until: UNTIL, invitees: 3 }), sentence(' and invite 3 people'));
});

test('nothing is left to say when the team exists', () => {
  assert.equal(describeNext(LINK), undefined);
});
