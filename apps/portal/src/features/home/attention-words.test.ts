import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionKind } from '@steward/contract/home';
import { placeOf, saidOf, sentenceOf } from './attention-words.ts';

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
      assert.match(sentenceOf(some(kind, count)), number);
      assert.match(sentenceOf(some(kind, count)), /^[A-Z0-9][^#]+\.$/);
    }
    assert.notEqual(sentenceOf(some(kind, 1)), sentenceOf(some(kind, 2)));
  }
  assert.equal(sentenceOf(some('deliveries_failed', 3)), '3 deliveries of the help desk could not be posted.');
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
  assert.equal(saidOf(some('mails_waiting')), 'Ask whoever runs the server.');
  assert.equal(
    saidOf(some('mails_failed', 1, '550 no')),
    'Ask whoever runs the server. The mail server said: “550 no”.',
  );
  assert.equal(saidOf(some('integration_failing', 1, 'It refuses the password.')), 'It refuses the password.');
  assert.equal(saidOf(some('deliveries_failed')), undefined);
});
