import { listAuditEvents } from '@steward/contract/audit';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { type Entry, listEntries } from '@steward/contract/directory';
import { getTokenPolicy, listTokens } from '@steward/contract/tokens';
import { listUsers } from '@steward/contract/users';
import { listInvitationLinks } from '@steward/contract/users/invitation-links';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { answer, disconnect, hold } from '#testing/fake-server.ts';
import { answerHome } from '#testing/home.ts';
import { openScreen } from '#testing/open-screen.tsx';
import {
  answerSearches,
  findChoice,
  getPalette,
  getPaletteField,
  getReached,
  openPalette,
  paletteCloses,
} from '#testing/palette.ts';
import { answerRetention } from '#testing/retention.ts';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { answerUsers, findDialog, findRow, listedOlivia, member, toId } from '#testing/users.ts';

const zara = member('Zara', 'Quill');
const SUPPLIES: Entry = {
  id: toId('supplies'),
  name: 'Quill Supplies',
  phone_number: '',
  sms: '',
  email: '',
  user_id: '',
  last_picture_update: 0,
};

beforeEach(() => {
  answerUsers();
  answer(listUsers, ({ query: { search = '' } }) => ({
    records: [zara, listedOlivia].filter(({ first_name, last_name }) =>
      `${first_name} ${last_name}`.toLowerCase().includes(search),
    ),
    last_key: null,
  }));
  answerSearches();
  answerHome();
  answer(listAuditEvents, { records: [], last_key: null });
  answerRetention();
});

test('it opens by its button or its shortcut, and the focus returns', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Olivia Owner');
  const button = screen.getByRole('button', { name: 'Search' });
  expect(button).toHaveTextContent('Ctrl K');
  await user.click(button);
  await screen.findByRole('dialog', { name: 'Search' });
  await waitFor(() => expect(getPaletteField()).toHaveFocus());
  await user.keyboard('{Escape}');
  await paletteCloses();
  await waitFor(() => expect(button).toHaveFocus());
  const box = screen.getByRole('searchbox', { name: 'Search people' });
  box.focus();
  await openPalette(user);
  await user.keyboard('{Control>}k{/Control}');
  await paletteCloses();
  await waitFor(() => expect(box).toHaveFocus());
});

test('a screen is found despite accents and a typo, and Enter opens it', async () => {
  const { user, router } = openScreen('/');
  await openPalette(user, 'rétencion');
  await waitFor(() => expect(getReached()).toHaveTextContent(/^Retention/));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.href).toBe('/dashboard/team_settings/retention'));
  await paletteCloses();
});

test('every screen of the sidebar and its subscreens are listed', async () => {
  const { user } = openScreen('/');
  const main = await screen.findByRole('navigation', { name: 'Main' });
  const shown = [...main.querySelectorAll('a:not([data-ahead])')].map((link) => link.getAttribute('href') ?? '');
  expect(shown.length).toBeGreaterThan(8);
  const forms = ['file', 'message', 'notes', 'tasks', 'meeting', 'voice'].map((name) => `${name}_retention`);
  const billing = ['activity_log', 'history', 'payment_method', 'change_steward_plan'];
  const ids = new Set<string>();
  const collect = () => {
    for (const { id } of getPalette().getAllByRole('option')) ids.add(id);
  };
  await openPalette(user);
  collect();
  for (const text of ['retention', 'billing']) {
    await user.clear(getPaletteField());
    await user.paste(text);
    await waitFor(() => expect(getPalette().queryByRole('option', { name: /^Home/ })).toBeNull());
    collect();
  }
  const wanted = [
    ...shown,
    ...forms.map((name) => `/dashboard/team_settings/${name}`),
    ...billing.map((name) => `/dashboard/billing/${name}`),
  ];
  const found = wanted.filter((address) => [...ids].some((id) => id.endsWith(`-${address}`)));
  expect(found).toEqual(wanted);
});

test('the arrows wrap around, Home and End go to the ends, and the field references the row', async () => {
  const { user } = openScreen('/');
  await openPalette(user, 'retention');
  await waitFor(() => expect(getPalette().getAllByRole('status')[0]).toHaveTextContent(/^\d+ results$/));
  const rows = getPalette().getAllByRole('option');
  const last = rows.length - 1;
  for (const [key, place] of [
    ['ArrowUp', last],
    ['ArrowDown', 0],
    ['ArrowDown', 1],
    ['End', last],
    ['Home', 0],
  ] as const) {
    await user.keyboard(`{${key}}`);
    expect(getReached()).toBe(rows[place]);
    expect(getPaletteField()).toHaveAttribute('aria-activedescendant', rows[place]?.id);
  }
});

test('people, entries and channels are found together, and a failed search is reported', async () => {
  answer(listEntries, { records: [SUPPLIES], last_key: null });
  answer(listTeamChannels, [
    {
      id: toId('news'),
      create_at: 1,
      update_at: 1,
      delete_at: 0,
      team_id: '',
      type: 'O',
      name: 'quill-news',
      display_name: 'quill-news',
      header: '',
      purpose: '',
      last_post_at: 0,
      creator_id: '',
    },
  ]);
  const { user, router } = openScreen('/');
  await openPalette(user, 'quill');
  for (const heading of ['People', 'Company Directory', 'Channels'])
    expect(within(await getPalette().findByRole('group', { name: heading })).getAllByRole('option')).toHaveLength(1);
  disconnect(listUsers);
  // Unlike a shorter text, this one can't have been searched for while the first was being typed.
  await user.keyboard('s');
  await getPalette().findByText(/^Couldn’t search people\. Keep typing to try again\./);
  await findChoice(/quill-news/);
  await user.click(await findChoice(/Quill Supplies/));
  await waitFor(() => expect(router.state.location.href).toBe('/users/company_directory?search=Quill+Supplies'));
});

test('a result for an earlier text never replaces a newer one, and Enter doesn’t choose it', async () => {
  const { user } = openScreen('/');
  await openPalette(user, 'zara');
  await findChoice(/^Zara Quill/);
  const release = hold(listUsers, { records: [zara], last_key: null });
  await user.keyboard('z');
  await waitFor(() => expect(getReached()).toBeNull());
  await user.keyboard('{Enter}');
  expect(getPaletteField()).toBeInTheDocument();
  answer(listUsers, { records: [], last_key: null });
  await user.keyboard('zz');
  await getPalette().findByText((_, element) => element?.textContent === 'Nothing found for “zarazzz”.');
  release();
  await waitFor(() => expect(getPalette().queryByRole('option', { name: /^Zara Quill/ })).toBeNull());
});

test('the text is kept and selected, and after a choice the recent ones come first', async () => {
  const { user } = openScreen('/users/users');
  await openPalette(user, 'zara');
  await findChoice(/^Zara Quill/);
  await user.keyboard('{Escape}');
  await paletteCloses();
  await openPalette(user);
  expect(getPaletteField()).toHaveValue('zara');
  await findChoice(/^Zara Quill/);
  await user.keyboard('{Control>}a{/Control}');
  await user.paste('retention');
  await waitFor(() => expect(getReached()).toHaveTextContent(/^Retention/));
  await user.keyboard('{Enter}');
  await paletteCloses();
  cleanup();
  const again = openScreen('/users/users');
  await openPalette(again.user);
  expect(getPaletteField()).toHaveValue('');
  const recent = within(getPalette().getByRole('group', { name: 'Recent' })).getAllByRole('option');
  expect(recent.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Retention/)]);
  expect(getPalette().getAllByRole('option', { name: /^Retention/ })).toHaveLength(1);
});

test('a found user is edited without leaving the screen', async () => {
  const { user, router } = openScreen('/dashboard/audit_log');
  await openPalette(user, 'zara quill');
  const actions = within(await getPalette().findByRole('group', { name: 'Zara Quill' }));
  await user.click(actions.getByRole('option', { name: 'Edit' }));
  const dialog = within(await findDialog('Edit User'));
  expect(dialog.getByRole('textbox', { name: 'First name' })).toHaveValue('Zara');
  expect(router.state.location.href).toBe('/dashboard/audit_log');
});

describe('a command', () => {
  test.each([
    ['add user', '/users/users', 'Add User', 'Add User'],
    ['add invitation link', '/users/invitation_links', 'Create Link', 'Create Link'],
    ['add token', '/dashboard/service_tokens', 'Add Token', 'Add Token'],
    ['add entry', '/users/company_directory', 'Add Entry', 'Add Entry'],
    ['run retention', '/dashboard/team_settings/retention', /^Run/, 'Run now'],
  ] as const)(
    'of “%s” runs once on its screen, and the focus returns to the button',
    async (text, path, name, button) => {
      answer(listInvitationLinks, { records: [], last_key: null });
      answer(listTokens, { records: [], may_create: true });
      answer(getTokenPolicy, { admins_may_create: false });
      const { user, router } = openScreen('/');
      await openPalette(user, text);
      await waitFor(() => expect(getReached()).not.toBeNull());
      await user.keyboard('{Enter}');
      await findDialog(name);
      expect(router.state.location.href).toBe(path);
      expect(router.state.location.state.command).toBeUndefined();
      await user.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => {
        const [first] = within(screen.getByRole('main')).getAllByRole('button', { name: button });
        expect(first).toHaveFocus();
      });
    },
  );

  test('on the current screen keeps its search', async () => {
    const { user, router } = openScreen('/users/users?search=olivia');
    await findRow('Olivia Owner');
    await openPalette(user, 'add user');
    await waitFor(() => expect(getReached()).toHaveTextContent(/^Add User/i));
    await user.keyboard('{Enter}');
    await findDialog('Add User');
    expect(router.state.location.href).toBe('/users/users?search=olivia');
  });

  test('downloads a file from anywhere', async () => {
    const { user } = openScreen('/');
    await openPalette(user, 'download users');
    await waitFor(() => expect(getReached()).not.toBeNull());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(takeSavedFiles().map(({ name }) => name)).toEqual(['steward-users.csv']));
  });

  test('changes the theme, and there is none that switches to another team without one', async () => {
    const { user } = openScreen('/users/users');
    await findRow('Olivia Owner');
    await openPalette(user, 'dark');
    await waitFor(() => expect(getReached()).not.toBeNull());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark'));
    await openPalette(user);
    await user.keyboard('{Control>}a{/Control}');
    await user.paste('switch team');
    expect(getPalette().queryByRole('option', { name: /^Switch team/ })).toBeNull();
  });
});

test('it doesn’t open over another dialog', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Olivia Owner');
  await openPalette(user);
  await user.keyboard('{Escape}');
  await paletteCloses();
  await user.click(screen.getByRole('button', { name: 'Add User' }));
  const field = within(await findDialog('Add User')).getByRole('textbox', { name: 'Email' });
  await waitFor(() => expect(field).toHaveFocus());
  await user.keyboard('{Control>}k{/Control}still here');
  expect(field).toHaveValue('still here');
  expect(screen.queryByRole('dialog', { name: 'Search' })).toBeNull();
});

test('unsaved changes are confirmed before it opens a screen', async () => {
  const { user, router } = openScreen('/dashboard/team_settings/notes_retention');
  await user.click(await screen.findByRole('radio', { name: /only for a set duration$/ }));
  await openPalette(user, 'manage users');
  await waitFor(() => expect(getReached()).toHaveTextContent(/^Manage Users/));
  await user.keyboard('{Enter}');
  expect(await findDialog('Discard changes')).toHaveTextContent('Leave without saving?');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.href).toBe('/dashboard/team_settings/notes_retention');
});
