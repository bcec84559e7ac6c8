import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { testEnv } from '#testing/app/test-env.ts';
import { type MonthlyFigures, monthlyMail } from './monthly-email.mail.ts';

/** Figures in which every count has this value. */
const figuresOf = (value: number, failed = false): MonthlyFigures => ({
  people: {
    members: value,
    active_7_days: 0,
    active_30_days: value,
    never_active: value,
    inactive_90_days: 0,
    leaving_14_days: value,
    leaving_30_days: 0,
    invited: 0,
    invited_over_14_days: value,
  },
  signIn: {
    members: value,
    with_second_factor: value,
    with_single_sign_on: 0,
    admins: value,
    admins_without_second_factor: value,
  },
  storage: {
    total: { count: value, bytes: 2_500_000 * value },
    added_30_days: { count: 0, bytes: 100_000 * value },
    kinds: [],
    channels: [],
    private: { count: 0, bytes: 0 },
  },
  retention: { rules: value, last_night: { at: 0, deleted: value, bytes: 0, failed }, holds: value },
  integrations: { connected: value, posted_7_days: value, failed_7_days: value },
});

/** The paragraphs with figures. */
function read(figures: MonthlyFigures): string[] {
  const { text } = monthlyMail(testEnv(), { to: 'owner@example.test', teamId: 'a', team: 'Acme', figures });
  return text.split('\n').filter((line) => /^[A-Z][a-z-]+: /.test(line));
}

describe('the monthly email', () => {
  test('has the figures of Home in sentences', () =>
    assert.deepEqual(read(figuresOf(1_200)), [
      'People: 1,200 members. Active in the last 30 days: 1,200; never active: 1,200. Leaving in the next 14 days: 1,200. Invitations older than 14 days: 1,200.',
      'Sign-in: Members with a second factor: 1,200 of 1,200. Admins without one: 1,200 of 1,200.',
      'Storage: 1,200 items with 3 GB, of which 120 MB was added in the last 30 days.',
      'Retention: 1,200 rules delete; the last night deleted 1,200 items. 1,200 legal holds are active.',
      'Integrations: 1,200 messages were posted in the last 7 days, 1,200 could not be posted everywhere.',
    ]));

  test('has the singular for one', () =>
    assert.deepEqual(read(figuresOf(1, true)), [
      'People: 1 member. Active in the last 30 days: 1; never active: 1. Leaving in the next 14 days: 1. Invitations older than 14 days: 1.',
      'Sign-in: Members with a second factor: 1 of 1. Admins without one: 1 of 1.',
      'Storage: 1 item with 2.5 MB, of which 0.1 MB was added in the last 30 days.',
      'Retention: 1 rule deletes; the last night failed. 1 legal hold is active.',
      'Integrations: 1 message was posted in the last 7 days, 1 could not be posted everywhere.',
    ]));

  test('leaves out integrations if none is connected, and says if no night has run', () => {
    const figures = figuresOf(0);
    const lines = read({ ...figures, retention: { rules: 0, last_night: null, holds: 0 } });
    assert.deepEqual(lines.slice(3), ['Retention: 0 rules delete; no night has run yet. 0 legal holds are active.']);
  });
});
