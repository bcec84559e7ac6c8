import { listAuditEvents } from '@steward/contract/audit';
import { sendPasswordReset } from '@steward/contract/session';
import { listUsers, revokeSessions, saveUser } from '@steward/contract/users';
import { getBulk, startBulk } from '@steward/contract/users/bulk';
import { getInvitation, resendInvitation } from '@steward/contract/users/invitations';
import { deactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { saveUsers } from '@steward/contract/users/multi';
import { getUser } from '@steward/contract/users/panel';
import { listSessions } from '@steward/contract/users/sessions';
import { listSignIns } from '@steward/contract/users/sign-ins';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditRecord } from '#testing/audit.ts';
import { answer, calls } from '#testing/fake-server.ts';
import { answerHome } from '#testing/home.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerSearches, findChoice, getPaletteField, paletteCloses } from '#testing/palette.ts';
import { answerRetention } from '#testing/retention.ts';
import { answerUsers, details, invitee, member } from '#testing/users.ts';

// Each chore of an admin starts on Home and has a maximum number of clicks. Typing and pasting don't count as clicks.

const ada = member('Ada', 'Lovelace');
const ENDED = { status_code: 200 as const, revoked: 0, devices: [], links: 0, tokens: 0 };
let clicks = 0;

// A click that a key causes has no detail, and doesn't count.
const count = ({ detail }: MouseEvent) => {
  if (detail > 0) clicks += 1;
};

beforeEach(() => {
  clicks = 0;
  document.addEventListener('click', count, true);
  answerUsers(ada);
  answerSearches();
  answerHome();
  answer(getUser, details(ada));
  answer(listSessions, { records: [] });
});

afterEach(() => document.removeEventListener('click', count, true));

async function openHome() {
  const { user, router } = openScreen('/');
  const goTo = within(await screen.findByRole('region', { name: 'Go to' }));
  /** Finds a user by name and chooses what to do. */
  const find = async (name: string, action: string | RegExp) => {
    await user.click(within(screen.getByRole('banner')).getByRole('button', { name: /^Search/ }));
    await screen.findByRole('dialog', { name: 'Search' });
    await waitFor(() => expect(getPaletteField()).toHaveFocus());
    await user.paste(name);
    await user.click(await findChoice(action));
    await paletteCloses();
  };
  const confirm = async (name: string) =>
    user.click(await within(await screen.findByRole('dialog')).findByRole('button', { name }));
  return { user, router, goTo, find, confirm };
}

test.each([
  {
    chore: 'sign someone out of all devices',
    action: 'Revoke all sessions',
    done: 'All sessions of User revoked successfully',
  },
  { chore: 'make someone an admin', action: 'Make admin', done: 'Ada Lovelace is now an admin' },
  { chore: 'make someone an owner', action: 'Make owner', done: 'Ada Lovelace is now an owner' },
  { chore: 'deactivate someone', action: 'Deactivate', done: 'Ada Lovelace was deactivated' },
  {
    chore: 'remove someone who left',
    action: 'Remove from team',
    button: 'Remove',
    done: 'Ada Lovelace was removed from the team',
  },
  {
    chore: 'send a password reset',
    action: 'Send password reset',
    button: 'Send email',
    done: 'Password Reset Email sent successfully',
  },
])('three clicks: $chore', async ({ action, button = action, done }) => {
  answer(revokeSessions, { status_code: 200, revoked: 0, devices: [] });
  for (const change of [saveUser, setOwner, sendPasswordReset]) answer(change, { status_code: 200 });
  for (const end of [deactivateUser, removeUser]) answer(end, ENDED);
  const { find, confirm } = await openHome();
  await find('ada love', action);
  await confirm(button);
  await screen.findByText(done);
  expect(clicks).toBe(3);
});

test('three clicks: send an invitation again', async () => {
  const pia = invitee('Pia', 'Pending');
  answerUsers(pia);
  answer(getInvitation, { sent_at: null, expires_at: null, mail: 'sent', error: '' });
  answer(resendInvitation, { status_code: 200 });
  const { find, confirm } = await openHome();
  await find(pia.email, 'Resend invitation');
  await confirm('Send again');
  await screen.findByText('Invitation sent again');
  expect(clicks).toBe(3);
});

test('two clicks and a paste: invite twenty people', async () => {
  answer(saveUsers, { status_code: 200, invited: 20, changed: 0, unchanged: 0, errors: [], existing: [] });
  const { user, confirm } = await openHome();
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Add User' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add User' }));
  await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveFocus());
  await user.paste(Array.from({ length: 20 }, (_, nth) => `new.${nth}@example.test`).join(', '));
  await confirm('Invite 20 people');
  await screen.findByText('20 invited');
  expect(clicks).toBe(2);
});

test('two clicks: see who changed a retention rule', async () => {
  answerRetention();
  answer(listAuditEvents, { records: [auditRecord('1', 'retention.saved')], last_key: null });
  const { user, router, goTo } = await openHome();
  await user.click(goTo.getByRole('link', { name: /^Retention/ }));
  await user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'History' }));
  expect(await screen.findByRole('row', { name: /Olivia Owner/ })).toBeInTheDocument();
  expect(router.state.location.pathname).toBe('/dashboard/audit_log');
  expect(clicks).toBe(2);
});

test('two clicks: see when someone signed in', async () => {
  answer(listSignIns, { records: [], last_key: null });
  const { find, router } = await openHome();
  await find('ada love', 'Sign-ins');
  await waitFor(() => expect(router.state.location.href).toBe(`/users/sign_ins?user=${ada.id}`));
  expect(clicks).toBe(2);
});

test('two clicks: see the details of a user', async () => {
  answer(listAuditEvents, { records: [], last_key: null });
  const { find } = await openHome();
  await find('ada love', /^Ada Lovelace/);
  await waitFor(() => expect(screen.getByRole('dialog', { name: 'Ada Lovelace' })).toHaveTextContent('Last active'));
  expect(clicks).toBe(2);
});

test('six clicks: deactivate everyone who was inactive for 90 days', async () => {
  const id = 'j'.repeat(26);
  answer(startBulk, ({ body: { dry_run } }) => (dry_run ? { affected: 1, skipped: [] } : { id }));
  const result = { total: 1, done: 1, skipped: [], failed: [], error: null };
  answer(getBulk, { id, action: 'deactivate', state: 'done', ...result });
  const { user, goTo, confirm } = await openHome();
  await user.click(goTo.getByRole('link', { name: /^Manage Users/ }));
  await user.click(await screen.findByRole('button', { name: /^Filters/ }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Inactive for' }), '90 days');
  await waitFor(() => expect(calls(listUsers).at(-1)?.query.inactive_days).toBe(90));
  // A browser doesn't report the clicks on the list of a native select.
  clicks = 2;
  await user.click(screen.getByRole('checkbox', { name: 'Select all loaded users' }));
  await user.click(await screen.findByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }));
  await confirm('Deactivate');
  await screen.findByText(/1 user was deactivated/);
  expect(clicks).toBe(6);
});
