import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionKind } from '@steward/contract/home';
import { getQuotedText, getSentence, placeOf } from './attention-text.ts';

const some = (kind: AttentionKind, count = 1, text?: string) => ({
  kind,
  count,
  since: null,
  ...(text !== undefined && { text }),
});

test('every kind has a sentence for one and for several, with the number in it', () => {
  for (const kind of AttentionKind.options) {
    for (const [count, number] of [
      [1, /./],
      [2, /\b2\b/],
      [99, /\b99\b/],
      [100, /\b99\+/],
    ] as const) {
      assert.match(getSentence(some(kind, count)), number);
      assert.match(getSentence(some(kind, count)), /^[A-Z0-9][^#]+\.$/);
    }
    assert.notEqual(getSentence(some(kind, 1)), getSentence(some(kind, 2)));
  }
  assert.equal(getSentence(some('deliveries_failed', 3)), '3 deliveries of the help desk could not be posted.');
});

test('a single invitee is looked for by address, several are not', () => {
  assert.deepEqual(placeOf(some('invitations_pending', 1, 'pia@example.test')), {
    to: '/users/users',
    search: { search: 'pia@example.test' },
  });
  assert.deepEqual(placeOf(some('invitations_failed', 2)), { to: '/users/users', search: {} });
});

test('what nobody can mend here says who can, with the words of the mail server', () => {
  assert.equal(placeOf(some('mails_waiting')), undefined);
  assert.equal(getQuotedText(some('mails_waiting')), 'Ask whoever runs the server.');
  assert.equal(
    getQuotedText(some('mails_failed', 1, '550 no')),
    'Ask whoever runs the server. The mail server said: “550 no”.',
  );
  assert.equal(getQuotedText(some('integration_failing', 1, 'It refuses the password.')), 'It refuses the password.');
  assert.equal(getQuotedText(some('deliveries_failed')), undefined);
});
