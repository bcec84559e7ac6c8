import assert from 'node:assert/strict';
import { AttentionKind } from '@steward/contract/home';
import { test } from 'vitest';
import { formatRelativeDay, getDetail, getHeadline, getLink } from './attention-text.ts';

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
  assert.equal(getHeadline(some('deliveries_failed', 3)), '3 messages of integrations couldn’t be posted');
});

test('a single invitee is searched by email address, several are not', () => {
  assert.deepEqual(getLink(some('invitations_pending', 1, 'pia@example.test')), {
    to: '/users/users',
    search: { search: 'pia@example.test' },
  });
  assert.deepEqual(getLink(some('invitations_failed', 2)), { to: '/users/users', search: {} });
});

test('people who should be removed at a server lead to the list of them', () => {
  assert.deepEqual(getLink(some('connected_users_ended', 2, 'Chat')), {
    to: '/users/connected_users',
    search: { ended: 1 },
  });
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

const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime();
// Some versions of the locale data use a narrow space before AM and PM.
const text = (moment: number, now: number) => formatRelativeDay(moment, now).replaceAll('\u202f', ' ');

test('yesterday, today and tomorrow are named by calendar days, not by hours', () => {
  assert.equal(text(at(10, 0), at(10, 23, 59)), 'today, 12:00 AM');
  assert.equal(text(at(9, 23, 59), at(10, 0)), 'yesterday, 11:59 PM');
  assert.equal(text(at(11, 2), at(10, 0)), 'tomorrow, 2:00 AM');
});

test('other days have their date', () => {
  assert.equal(text(at(8, 23, 59), at(10, 0)), 'Mar 8, 2026, 11:59 PM');
  assert.equal(text(at(12, 9, 5), at(10, 0)), 'Mar 12, 2026, 9:05 AM');
});

test('a night with a clock change counts as one day', () => {
  assert.equal(text(at(29, 23), at(28, 1)), 'tomorrow, 11:00 PM');
  assert.equal(text(at(28, 1), at(29, 23)), 'yesterday, 1:00 AM');
});
