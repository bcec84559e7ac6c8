import { logout } from '@steward/contract/session';
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer } from '#testing/fake-server.ts';
import { answerHome } from '#testing/home.ts';
import { OLIVIA, openScreen, SOUTHWIND, TEAM } from '#testing/open-screen.tsx';
import { answerUsers, findDialog } from '#testing/users.ts';

const PATH = '/users/users';

beforeEach(() => answerUsers());

/** Opens a path as the owner of two teams, of which Northwind is the current one. */
function openWithTwoTeams(path: string) {
  const { user, router } = openScreen(path, undefined, [TEAM, SOUTHWIND]);
  return { user, path: () => router.state.location.href, router };
}

test('choosing the current team only closes the dialog', async () => {
  const { user } = openWithTwoTeams(PATH);
  const link = await screen.findByRole('link', { name: /^Northwind/ });
  await user.click(link);
  const current = within(await findDialog('SWITCH TEAM')).getByRole('button', { name: /Northwind/ });
  expect(current).toHaveAttribute('aria-current', 'true');
  await waitFor(() => expect(current).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(link).toHaveFocus());
});

test('a link to /switchTeam opens the dialog, and Cancel leaves for home', async () => {
  answerHome();
  const { user, path } = openWithTwoTeams('/switchTeam');
  await user.click(within(await findDialog('SWITCH TEAM')).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(path()).toBe(`/?team=${TEAM.id}`));
  expect(screen.getByRole('heading', { name: 'Steward Admin Portal' })).toBeInTheDocument();
});

test('every address of a user with several teams names the team, so that a copied one opens it', async () => {
  const { user, path, router } = openWithTwoTeams(PATH);
  await waitFor(() => expect(path()).toBe(`${PATH}?team=${TEAM.id}`));
  await user.click(await screen.findByRole('link', { name: 'Guide' }));
  await waitFor(() => expect(path()).toContain(`/guide/admin-guide?team=${TEAM.id}`));
  await act(() => router.navigate({ to: PATH, search: { member: 1, team: SOUTHWIND.id } }));
  await screen.findByRole('link', { name: /^Southwind/ });
  await user.click(screen.getByRole('link', { name: 'Guide' }));
  await waitFor(() => expect(path()).toContain(`/guide/admin-guide?team=${SOUTHWIND.id}`));
  router.history.back();
  await waitFor(() => expect(path()).toBe(`${PATH}?member=1&team=${SOUTHWIND.id}`));
});

test('a link opens its team in one tab, until the reader goes back or switches', async () => {
  const { user, path } = openWithTwoTeams(`${PATH}?team=${SOUTHWIND.id}`);
  const notice = within(await screen.findByRole('region', { name: 'Team of this tab' }));
  expect(notice.getByRole('status')).toHaveTextContent(
    'You are looking at Southwind in this tab. Other tabs and your next visit open Northwind.',
  );
  expect(localStorage.getItem('steward.team')).toBeNull();
  await user.click(notice.getByRole('button', { name: 'Switch to this team' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Team of this tab' })).toBeNull());
  expect(localStorage.getItem('steward.team')).toBe(SOUTHWIND.id);
  expect(path()).toBe(`${PATH}?team=${SOUTHWIND.id}`);
});

test('someone with one team has it in no address, and a link to it opens without a notice', async () => {
  const { user, router } = openScreen(`${PATH}?team=${TEAM.id}`);
  await screen.findByRole('row', { name: /Olivia Owner/ });
  expect(screen.queryByRole('region', { name: 'Team of this tab' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'Manage Users' }));
  await waitFor(() => expect(router.state.location.href).toBe(PATH));
});

test.each(['f'.repeat(26), 'no id at all'])('a link to %s, which the reader can’t open, says so', async (id) => {
  const { user, router } = openScreen(`${PATH}?team=${encodeURIComponent(id)}`);
  const heading = await screen.findByRole('heading', { name: 'You can’t open this team' });
  expect(heading).toHaveFocus();
  expect(screen.getByRole('main')).toHaveTextContent(
    `a team that doesn’t exist, or that you can’t manage with this sign-in. You are signed in as Olivia Owner (${OLIVIA.email}).`,
  );
  expect(screen.getByRole('button', { name: 'Open Northwind' })).toBeEnabled();
  answer(logout, { status_code: 200 });
  const from = router.state.location.state.from;
  await user.click(screen.getByRole('button', { name: 'Switch account' }));
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(router.state.location.state.from).toBe(from);
});
