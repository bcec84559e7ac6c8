import { sendPasswordReset } from '@steward/contract/session';
import { ExistingUser, listUsers, mapProfile, revokeSessions, saveUser } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { getUser } from '@steward/contract/users/panel';
import { listSessions } from '@steward/contract/users/sessions';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { answer, calls, disconnect, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, chooseAction, findDialog, findRow, invitee, member } from '#testing/users.ts';

const REVOKED = 'All sessions of User revoked successfully';
const max = member('Max', 'Member');

beforeEach(() => {
  answerUsers(max);
  answer(listSessions, { records: [] });
});

const findIn = async (name: string) => within(await findDialog(name));

async function openAdd(): Promise<{ user: UserEvent; dialog: ReturnType<typeof within>; path: () => string }> {
  const { user, router } = openScreen('/users/users');
  await user.click(await screen.findByRole('button', { name: 'Add User' }));
  return { user, dialog: await findIn('Add User'), path: () => router.state.location.pathname };
}

async function openBulk() {
  const { user } = await openAdd();
  await user.click(screen.getByRole('button', { name: 'Add several people at once' }));
  const dialog = await findIn('Add Users');
  return { user, dialog, field: dialog.getByRole('textbox', { name: 'Email addresses' }) };
}

describe('adding a user', () => {
  test('requires a valid email address before anything is sent', async () => {
    const { user, dialog } = await openAdd();
    await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveFocus());
    expect(dialog.getByRole('radio', { name: /^Team User/ })).toBeChecked();
    await user.click(dialog.getByRole('button', { name: 'Add User' }));
    expect(dialog.getByText('Email is required.')).toBeInTheDocument();
    fireEvent.change(dialog.getByRole('textbox', { name: 'Email' }), { target: { value: 'not an email' } });
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), '{Enter}');
    expect(dialog.getByText('Enter a valid email address.')).toBeInTheDocument();
  });

  test('sends the form, and closes the dialog with an alert', async () => {
    const { user, dialog } = await openAdd();
    answer(saveUser, { status_code: 200 });
    fireEvent.change(dialog.getByRole('textbox', { name: 'Email' }), { target: { value: 'NEW@example.test' } });
    fireEvent.change(dialog.getByRole('textbox', { name: 'First name' }), { target: { value: 'Nora' } });
    await user.click(dialog.getByRole('radio', { name: /^Team Admin/ }));
    await user.click(dialog.getByRole('button', { name: 'Add User' }));
    await screen.findByText('Added Successfully');
    const body = { ...mapProfile(() => ''), email: 'new@example.test', first_name: 'Nora', account_type: 1 };
    expect(calls(saveUser).map((sent) => sent.body)).toEqual([{ ...body, if_exists: 'keep' }]);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add User' })).toHaveFocus());
  });

  test('sends an end date, and shows at the field why the server refuses it', async () => {
    const { user, dialog } = await openAdd();
    refuse(saveUser, 'users.end_out_of_range');
    fireEvent.change(dialog.getByRole('textbox', { name: 'Email' }), { target: { value: 'new@example.test' } });
    const field = dialog.getByLabelText('End date');
    fireEvent.change(field, { target: { value: '2020-03-31' } });
    await user.click(dialog.getByRole('button', { name: 'Add User' }));
    await waitFor(() => expect(field).toHaveAccessibleDescription(/must be today or later/));
    expect(calls(saveUser)[0]?.body).toMatchObject({ email: 'new@example.test', ends_on: '2020-03-31' });
  });

  test('changes nothing for a member’s address, and leads to the member', async () => {
    const { user, dialog, path } = await openAdd();
    const { id, email } = max;
    answer(saveUser, { status_code: 200, existing: ExistingUser.parse(max) });
    answer(getUser, () => Promise.withResolvers<never>().promise);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Email' }), { target: { value: email.toUpperCase() } });
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), '{Enter}');
    const notice = await dialog.findByRole('alert');
    expect(notice).toHaveTextContent(`Max Member (${email}) is already in the team.`);
    expect(notice).toHaveTextContent('Nothing was changed.');
    expect(screen.queryByText('Added Successfully')).toBeNull();
    await user.click(within(notice).getByRole('link', { name: 'Show user' }));
    await waitFor(() => expect(path()).toBe(`/users/users/${id}`));
    expect(screen.queryByRole('dialog', { name: 'Add User' })).toBeNull();
  });

  test('repeats a lost call with the same key', async () => {
    const { user, dialog } = await openAdd();
    disconnect(saveUser);
    fireEvent.change(dialog.getByRole('textbox', { name: 'Email' }), { target: { value: 'twice@example.test' } });
    await user.type(dialog.getByRole('textbox', { name: 'Email' }), '{Enter}');
    await dialog.findByText('API error');
    answer(saveUser, { status_code: 200 });
    await user.click(dialog.getByRole('button', { name: 'Add User' }));
    await screen.findByText('Added Successfully');
    const keys = calls(saveUser).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toMatch(/^\w{16,}$/);
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  test('asks before unsaved input is lost, and can keep it', async () => {
    const { user, dialog } = await openAdd();
    fireEvent.change(dialog.getByRole('textbox', { name: 'First name' }), { target: { value: 'Nora' } });
    await user.keyboard('{Escape}');
    await user.click((await findIn('Discard changes')).getByRole('button', { name: 'Cancel' }));
    expect(dialog.getByRole('textbox', { name: 'First name' })).toHaveValue('Nora');
    await user.keyboard('{Escape}');
    await user.click((await findIn('Discard changes')).getByRole('button', { name: 'Discard' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add User' })).toHaveFocus());
  });

  test('takes the name from a pasted address', async () => {
    const { user, dialog } = await openAdd();
    await user.paste('"Lee, Ann" <ann@example.test>;');
    expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue('ann@example.test');
    expect(dialog.getByRole('textbox', { name: 'First name' })).toHaveValue('Ann');
    expect(dialog.getByRole('textbox', { name: 'Last name' })).toHaveValue('Lee');
  });
});

describe('adding several users', () => {
  test('begins with a pasted list, and what isn’t an address stays', async () => {
    const { user } = await openAdd();
    answer(saveUsers, ({ body }) => ({
      status_code: 200 as const,
      invited: body.length,
      changed: 0,
      unchanged: 0,
      errors: [],
      existing: [],
    }));
    await user.paste('New 1 <new.1@example.test>; "Lee, Ann" <ann@example.test>; nobody');
    const dialog = await findIn('Add Users');
    expect(dialog.getByRole('status')).toHaveTextContent('2 addresses found. Not understood: nobody');
    await user.click(dialog.getByRole('button', { name: 'Invite 2 people' }));
    await screen.findByText('2 invited');
    expect(calls(saveUsers)[0]).toMatchObject({
      query: { if_exists: 'keep' },
      body: [
        { email: 'new.1@example.test', first_name: 'New', last_name: '1', account_type: 2 },
        { email: 'ann@example.test', first_name: 'Ann', last_name: 'Lee', account_type: 2 },
      ],
    });
    const field = dialog.getByRole('textbox', { name: 'Email addresses' });
    expect(field).toHaveValue('nobody');
    await user.clear(field);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls(listUsers).length).toBeGreaterThan(1);
  });

  test('names users who are there already, and leaves refused addresses in the field with the reason', async () => {
    const { user, dialog, field } = await openBulk();
    const { email } = max;
    const gone = { ...mapProfile(() => ''), id: 'g'.repeat(26), email: 'gone@example.test' };
    answer(saveUsers, {
      status_code: 200,
      invited: 1,
      changed: 0,
      unchanged: 2,
      existing: [ExistingUser.parse(max), { ...gone, state: 'deactivated' }],
      errors: [{ row: 3, email: 'ann@example.test', error: 'Last Name must have at most 100 characters.' }],
    });
    fireEvent.change(field, {
      target: { value: `nina@example.test; ${email}; gone@example.test\n"Long, Ann" <ann@example.test>` },
    });
    await user.click(dialog.getByRole('button', { name: 'Invite 4 people' }));
    await screen.findByText('1 invited, 2 already in the team');
    const [existing, refused] = dialog.getAllByRole('alert');
    expect(existing).toHaveTextContent(`Max Member (${email}) is already in the team.`);
    expect(existing).toHaveTextContent('is in the team, but deactivated.');
    expect(refused).toHaveTextContent('ann@example.test: Last Name must have at most 100 characters.');
    expect(field).toHaveValue('"Long, Ann" <ann@example.test>');
  });
});

describe('editing a user', () => {
  test('locks the email, saves only a change, and updates the row', async () => {
    const { user } = openScreen('/users/users');
    await chooseAction(user, 'Max Member', 'Edit');
    const dialog = await findIn('Edit User');
    expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveValue(max.email);
    expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAttribute('readonly');
    expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
    answer(saveUser, { status_code: 200 });
    await user.click(dialog.getByRole('radio', { name: /^Team Admin/ }));
    await user.clear(dialog.getByRole('textbox', { name: 'Last name' }));
    fireEvent.change(dialog.getByRole('textbox', { name: 'Last name' }), { target: { value: 'Manager' } });
    answerUsers({ ...max, last_name: 'Manager', roles: ['team_user', 'team_admin'] });
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved Successfully');
    expect(calls(saveUser)[0]?.body).toMatchObject({ last_name: 'Manager', account_type: 1, if_exists: 'update' });
    expect(await findRow('Max Manager')).toHaveTextContent('Team Admin');
  });

  test('moves and removes an end date', async () => {
    answerUsers(member('Max', 'Member', { ends_on: '2036-03-31' }));
    answer(saveUser, { status_code: 200 });
    const { user } = openScreen('/users/users');
    expect(await findRow('Max Member')).toHaveTextContent('Until Mar 31, 2036');
    for (const [value, ends_on] of [
      ['2036-04-30', '2036-04-30'],
      ['', null],
    ]) {
      await chooseAction(user, 'Max Member', 'Edit');
      const dialog = await findIn('Edit User');
      fireEvent.change(dialog.getByLabelText('End date'), { target: { value } });
      answerUsers(member('Max', 'Member', { ends_on: ends_on ?? null }));
      await user.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit User' })).toBeNull());
      expect(calls(saveUser).at(-1)?.body).toMatchObject({ email: max.email, ends_on });
    }
    await waitFor(async () => expect(await findRow('Max Member')).not.toHaveTextContent('Until'));
  });

  test('that is refused keeps the input and shows the reason', async () => {
    const { user } = openScreen('/users/users');
    await chooseAction(user, 'Max Member', 'Edit');
    const dialog = await findIn('Edit User');
    refuse(saveUser, 'users.deactivated');
    await user.type(dialog.getByRole('textbox', { name: 'Last name' }), '-Manager{Enter}');
    expect(await dialog.findByText('This person is deactivated.')).toBeInTheDocument();
    expect(screen.getByText('An Error Occurred!')).toBeInTheDocument();
    expect(dialog.getByRole('textbox', { name: 'Last name' })).toHaveValue('Member-Manager');
  });
});

describe('the menu of a row', () => {
  test('asks the specified questions, and a stray Enter or Escape does nothing', async () => {
    const { user } = openScreen('/users/users');
    for (const [action, question] of [
      ['Revoke all sessions', 'Are you sure You want to revoke all sessions of this User?'],
      ['Send password reset', 'Are you sure You want to send Password reset email to this User?'],
    ] as const)
      for (const key of ['{Enter}', '{Escape}']) {
        await chooseAction(user, 'Max Member', action);
        const dialog = await findDialog(action);
        expect(dialog).toHaveTextContent(question);
        expect(dialog).toHaveTextContent(`Max Member (${max.email})`);
        await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
        await user.keyboard(key);
        await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
        await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Max Member' })).toHaveFocus());
      }
    expect(calls(revokeSessions)).toEqual([]);
  });

  test('sends a password reset', async () => {
    const { user } = openScreen('/users/users');
    answer(sendPasswordReset, { status_code: 200 });
    await chooseAction(user, 'Max Member', 'Send password reset');
    await user.click((await findIn('Send password reset')).getByRole('button', { name: 'Send email' }));
    await screen.findByText('Password Reset Email sent successfully');
    expect(calls(sendPasswordReset).map(({ body }) => body)).toEqual([{ email: max.email }]);
  });

  test('revokes sessions by keyboard alone', async () => {
    const { user } = openScreen('/users/users');
    answer(revokeSessions, { status_code: 200, revoked: 0, devices: [] });
    (await screen.findByRole('button', { name: 'Actions for Max Member' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Edit' })).toHaveFocus());
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.keyboard('{Tab}{Enter}');
    await screen.findByText(REVOKED);
  });

  test('keeps an unavailable action with its reason, and has none for Zendesk users', async () => {
    answerUsers(invitee('Pia', 'Pending'), member('Zoe', 'Desk', { roles: ['zendesk'], abilities: [] }));
    const { user } = openScreen('/users/users');
    await user.click(await screen.findByRole('button', { name: 'Actions for Pia Pending' }));
    const refused = await screen.findByRole('menuitem', { name: /^Revoke all sessions/ });
    expect(refused).toHaveAttribute('aria-disabled', 'true');
    expect(refused).toHaveTextContent("hasn't accepted the invitation yet");
    await user.click(refused);
    expect(screen.queryByRole('dialog')).toBeNull();
    const desk = within(await findRow('Zoe Desk'));
    expect(desk.queryByRole('button')).toBeNull();
    await user.hover(desk.getByRole('img', { name: /No actions/ }));
    expect(await screen.findByRole('tooltip')).toHaveTextContent(
      "Zendesk users can't sign in, so there are no actions.",
    );
  });
});

test('an alert closes after 4 seconds, stays while it is hovered, and can be dismissed', async () => {
  const { user } = openScreen('/users/users');
  answer(revokeSessions, { status_code: 200, revoked: 0, devices: [] });
  const revoke = async () => {
    await chooseAction(user, 'Max Member', 'Revoke all sessions');
    vi.useFakeTimers();
    await user.click((await findIn('Revoke all sessions')).getByRole('button', { name: 'Revoke all sessions' }));
    const alert = await screen.findByText(REVOKED);
    const isGone = () => waitFor(() => expect(alert).not.toBeInTheDocument());
    return { alert, isGone };
  };
  const first = await revoke();
  await vi.advanceTimersByTimeAsync(3_500);
  expect(first.alert).toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(500);
  await first.isGone();
  vi.useRealTimers();
  const second = await revoke();
  await user.hover(second.alert);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(second.alert).toBeInTheDocument();
  await user.unhover(second.alert);
  await vi.advanceTimersByTimeAsync(4_000);
  await second.isGone();
  vi.useRealTimers();
  const third = await revoke();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  await third.isGone();
});

test('a refused action is shown in a red alert with the specified title', async () => {
  const { user } = openScreen('/users/users');
  refuse(revokeSessions, 'users.zendesk_has_no_actions');
  await chooseAction(user, 'Max Member', 'Revoke all sessions');
  await user.click((await findIn('Revoke all sessions')).getByRole('button', { name: 'Revoke all sessions' }));
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('An Error Occurred!');
  expect(alert).toHaveTextContent("Zendesk users can't sign in, so there are no actions.");
});
