import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AttentionKind } from '@steward/contract/home';
import { getDetail, getHeadline, getLink } from './attention-text.ts';

const some = (kind: AttentionKind, count = 1, text?: string) => ({
  kind,
  count,
  since: null,
  ...(text !== undefined && { text }),
});

test('every kind has a headline for one and for several, with the count in it', () => {
  for (const kind of AttentionKind.options) {
    for (const [count, number] of [
      [1, /./],
      [2, /\b2\b/],
      [99, /\b99\b/],
      [100, /\b99\+/],
    ] as const) {
      assert.match(getHeadline(some(kind, count)), number);
      assert.match(getHeadline(some(kind, count)), /^[A-Z0-9][^#]+[^.]$/);
    }
    assert.notEqual(getHeadline(some(kind, 1)), getHeadline(some(kind, 2)));
  }
  assert.equal(getHeadline(some('deliveries_failed', 3)), '3 Zendesk messages couldn’t be posted');
});

test('a single invitee is searched by email address, several are not', () => {
  assert.deepEqual(getLink(some('invitations_pending', 1, 'pia@example.test')), {
    to: '/users/users',
    search: { search: 'pia@example.test' },
  });
  assert.deepEqual(getLink(some('invitations_failed', 2)), { to: '/users/users', search: {} });
});

test('an email problem names the system administrator and quotes the SMTP reply', () => {
  assert.equal(getLink(some('mails_waiting')), undefined);
  assert.equal(getDetail(some('mails_waiting')), 'Contact your system administrator.');
  assert.equal(
    getDetail(some('mails_failed', 1, '550 no')),
    'Contact your system administrator. The mail server replied: “550 no”.',
  );
  assert.equal(getDetail(some('integration_failing', 1, 'It refuses the password.')), 'It refuses the password.');
  assert.equal(getDetail(some('deliveries_failed')), undefined);
});
