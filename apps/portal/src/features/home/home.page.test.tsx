import { getAttention } from '@steward/contract/home';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, hold, refuse } from '#testing/fake-server.ts';
import { answerHome } from '#testing/home.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerRetention } from '#testing/retention.ts';

const DAY_MS = 86_400_000;
const TITLE = 'Steward Admin Portal';
const ALL_CLEAR = 'You’re all caught up.';
beforeEach(answerHome);

const section = () => within(screen.getByRole('region', { name: 'Needs attention' }));

test('the name and the links show while items load; a team without problems is all caught up', async () => {
  const release = hold(getAttention, { records: [] });
  answerRetention();
  const { user, router } = openScreen('/');
  await screen.findByRole('heading', { level: 1, name: TITLE });
  expect(screen.getByRole('main')).toHaveTextContent('Managing Northwind');
  const links = within(screen.getByRole('region', { name: 'Go to' })).getAllByRole('link');
  const names = ['Manage Users', 'Company Directory', 'Retention', 'Default Channels', 'Integrations', 'Audit Log'];
  expect(links.map(({ textContent }) => names.find((name) => textContent.startsWith(name)))).toEqual(names);
  expect(screen.queryByText(ALL_CLEAR)).toBeNull();
  release();
  await screen.findByText(ALL_CLEAR);
  expect(section().queryByRole('listitem')).toBeNull();
  await user.click(links[2] as HTMLElement);
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/team_settings/retention'));
});

test('items are listed in order, each with its count, its start and the screen that fixes it', async () => {
  answer(getAttention, {
    records: [
      { kind: 'retention_overdue', count: 1, since: Date.now() - 80 * DAY_MS },
      { kind: 'deliveries_failed', count: 3, since: Date.now() - DAY_MS },
      { kind: 'mails_failed', count: 1, since: Date.now() - DAY_MS, text: '550 <b>no such mailbox</b>' },
      { kind: 'invitations_pending', count: 1, since: Date.now(), text: 'pia@example.test' },
    ],
  });
  openScreen('/');
  await screen.findByRole('region', { name: 'Needs attention' });
  const items = await section().findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^1 retention rule hasn’t runSince \w+ \d+, \d{4}/),
    expect.stringMatching(/^3 messages of integrations couldn’t be postedSince yesterday, /),
    expect.stringContaining('The mail server replied: “550 <b>no such mailbox</b>”.'),
    expect.stringMatching(/^1 invitation is pendingSince today, .+pia@example\.test/),
  ]);
  expect(items.map((item) => item.querySelector('a')?.getAttribute('href'))).toEqual([
    ...[
      '/dashboard/team_settings/retention',
      '/dashboard/triggers',
      undefined,
      '/users/users?search=pia%40example.test',
    ],
  ]);
  expect(items[0]?.querySelector('time')).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/));
});

test('a failure to load is shown, with Retry', async () => {
  refuse(getAttention, 'server.error');
  const { user } = openScreen('/');
  expect(await screen.findByRole('alert')).toHaveTextContent('An Error Occurred!');
  expect(screen.getByRole('heading', { name: TITLE })).toBeInTheDocument();
  answer(getAttention, { records: [] });
  await user.click(section().getByRole('button', { name: 'Retry' }));
  await screen.findByText(ALL_CLEAR);
});
