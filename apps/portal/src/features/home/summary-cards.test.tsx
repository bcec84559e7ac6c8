import {
  getIntegrationsSummary,
  getPeopleSummary,
  getRetentionSummary,
  getSignInSummary,
  getStorageSummary,
  type StorageSummary,
} from '@steward/contract/home';
import { getRetentionForecast } from '@steward/contract/retention/foresight';
import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, hold, refuse } from '#testing/fake-server.ts';
import { answerHome, EMPTY_STORAGE } from '#testing/home.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { toId } from '#testing/users.ts';

const PEOPLE = {
  ...{
    members: 12_345,
    active_7_days: 9_000,
    active_30_days: 10_000,
    never_active: 7,
    inactive_90_days: 40,
    leaving_14_days: 3,
    leaving_30_days: 8,
  },
  invited: 5,
  invited_over_14_days: 2,
};

const STORAGE: StorageSummary = {
  ...EMPTY_STORAGE,
  counted_at: Date.now(),
  total: { count: 1_000_001, bytes: 3_400_000_000 },
  kinds: [
    { kind: 'files', count: 1, bytes: 1_000_000_000 },
    { kind: 'public_channels', count: 1_000_000, bytes: 2_400_000_000 },
  ],
  added_30_days: { count: 10, bytes: 2_000 },
  channels: [{ channel_id: toId('c'), channel_name: '=design', count: 900_000, bytes: 2_000_000_000 }],
  private: { count: 3, bytes: 30 },
};

beforeEach(answerHome);

const card = async (title: string) =>
  within(await within(await screen.findByRole('region', { name: 'Your team' })).findByRole('group', { name: title }));
const findFigure = async (title: string, name: RegExp) => (await card(title)).findByRole('link', { name });

test('people are counted, and each number leads to the list with its filter', async () => {
  answer(getPeopleSummary, PEOPLE);
  openScreen('/');
  expect(await findFigure('People', /^Members 12,345$/)).toHaveAttribute('href', '/users/users');
  const kinds = 'primary_owner=1&workspace_admin=1&member=1';
  const hrefs: [RegExp, string][] = [
    [/^Active in 7 days 9,000$/, `/users/users?${kinds}&active_days=7&sort=last_active&order=desc`],
    [/^Active in 30 days 10,000$/, `/users/users?${kinds}&active_days=30&sort=last_active&order=desc`],
    [/^Never signed in 7$/, `/users/users?${kinds}&never_active=1`],
    [/^Inactive for 90 days 40$/, `/users/users?${kinds}&inactive_days=90`],
    [/^Leaving in 14 days 3$/, '/users/users?ending_days=14&sort=end'],
    [/^Leaving in 30 days 8$/, '/users/users?ending_days=30&sort=end'],
    [/^Invited over 14 days ago 2 of 5$/, '/users/users?pending=1&invited_days=14'],
  ];
  for (const [name, href] of hrefs) expect(await findFigure('People', name)).toHaveAttribute('href', href);
  expect((await card('People')).getByText(/^Active means/)).toBeInTheDocument();
});

test('each card loads by itself: a slow one and one that fails leave the others alone, and can be tried again', async () => {
  const release = hold(getStorageSummary, STORAGE);
  refuse(getSignInSummary, 'server.error');
  const { user } = openScreen('/');
  await findFigure('People', /^Members 3$/);
  await findFigure('Integrations', /^Connected None$/);
  expect((await card('Storage')).queryByRole('link')).toBeNull();
  const failed = await card('Sign-in');
  expect(failed.getByRole('alert')).toHaveTextContent('Something went wrong on our side. Try again.');
  expect(document.querySelectorAll('[aria-busy=true]'), 'only the slow card is shown as loading').toHaveLength(1);
  release();
  await findFigure('Storage', /^1,000,001 items 3.4 GB$/);
  await findFigure('Storage', /^Largest: =design 2 GB$/);
  answer(getSignInSummary, {
    members: 4,
    with_second_factor: 3,
    with_single_sign_on: 0,
    admins: 2,
    admins_without_second_factor: 1,
  });
  await user.click(failed.getByRole('button', { name: 'Retry Sign-in' }));
  await findFigure('Sign-in', /^With a second factor 3 \(75%\)$/);
  expect(await findFigure('Sign-in', /^Admins without a second factor 1 of 2$/)).toHaveAttribute(
    'href',
    '/users/users?primary_owner=1&workspace_admin=1&without_second_factor=1',
  );
});

test('retention shows rules, the last night, what is due and holds', async () => {
  const night = { at: Date.now() - 3_600_000, deleted: 1_234, bytes: 5, failed: false };
  answer(getRetentionSummary, { rules: 2, last_night: night, holds: 1 });
  answer(getRetentionForecast, { records: [], total: { count: 42, bytes: 1, held: 0 } });
  openScreen('/');
  await findFigure('Retention', /^Rules in effect 2$/);
  await findFigure('Retention', /^Last night, .+ 1,234 deleted$/);
  await findFigure('Retention', /^Due in 30 nights 42$/);
  expect(await findFigure('Retention', /^Legal holds 1$/)).toHaveAttribute('href', '/dashboard/team_settings/holds');
});

test('a failed night stands out', async () => {
  const last_night = { at: Date.now() - 3_600_000, deleted: 0, bytes: 0, failed: true };
  answer(getRetentionSummary, { rules: 0, last_night, holds: 0 });
  openScreen('/');
  await findFigure('Retention', /^Last night, .+ Failed$/);
});

test('without rules, nothing is forecast', async () => {
  openScreen('/');
  await findFigure('Retention', /^Last night No run yet$/);
  await findFigure('Retention', /^Due in 30 nights 0$/);
  expect(calls(getRetentionForecast)).toEqual([]);
});

test('connected integrations show what was posted and what was not', async () => {
  answer(getIntegrationsSummary, { connected: 2, posted_7_days: 1_500, failed_7_days: 3 });
  openScreen('/');
  await findFigure('Integrations', /^Messages posted in 7 days 1,500$/);
  expect(await findFigure('Integrations', /^Not posted in 7 days 3$/)).toHaveAttribute('href', '/dashboard/triggers');
});

test('Storage lists kinds and the largest channels, and saves them as CSV', async () => {
  answer(getStorageSummary, STORAGE);
  const { user } = openScreen('/dashboard/storage');
  const kinds = await screen.findByRole('table', { name: 'By kind' });
  expect(
    within(kinds)
      .getAllByRole('row')
      .map(({ textContent }) => textContent),
  ).toEqual(['KindItemsSize', 'Files11 GB', 'Public channels1,000,0002.4 GB', 'Total1,000,0013.4 GB']);
  const channels = screen.getByRole('table', { name: 'Largest public channels' });
  expect(channels).toHaveTextContent('=design900,0002 GB');
  expect(channels).toHaveTextContent('All private and direct channels330 bytes');
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  const [file] = takeSavedFiles();
  expect(file?.name).toBe('storage.csv');
  const lines = await file?.lines;
  expect(lines).toContain('Kind,Files,1,1000000000');
  expect(lines).toContain("Public channel,'=design,900000,2000000000");
});

test('a team that stores nothing learns what is counted', async () => {
  openScreen('/dashboard/storage');
  await screen.findByRole('heading', { name: 'Nothing is stored yet' });
  expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull();
});
