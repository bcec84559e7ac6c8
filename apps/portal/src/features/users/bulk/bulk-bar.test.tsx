import { listUsers } from '@steward/contract/users';
import { type BulkJob, getBulk, startBulk } from '@steward/contract/users/bulk';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { answerUsers, findDialog, findRow, listedOlivia, member } from '#testing/users.ts';

const PEOPLE = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve'].map((name) => member(name, 'Member'));
const zoe = member('Zoe', 'Desk', { roles: ['zendesk'], abilities: [] });
const JOB: BulkJob = {
  id: 'j'.repeat(26),
  action: 'deactivate',
  state: 'running',
  total: 5,
  done: 2,
  skipped: [],
  failed: [],
  error: null,
};

beforeEach(() => {
  answerUsers(...PEOPLE, zoe);
  answer(startBulk, ({ body }) =>
    body.dry_run ? { affected: 3, skipped: [{ reason: 'zendesk' as const, count: 1 }] } : { id: JOB.id },
  );
});

const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` });
const findBar = () => screen.findByRole('region', { name: 'Selected users' });

async function choose(user: UserEvent, action: string): Promise<void> {
  await user.click(within(await findBar()).getByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

test('chosen users are deactivated after a dialog that counts them, and a message shows the result', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Ada Member');
  await user.click(box('Ada Member'));
  await user.keyboard('{Shift>}');
  await user.click(box('Cleo Member'));
  await user.keyboard('{/Shift}');
  await waitFor(async () => expect(await findBar()).toHaveTextContent('3 users selected'));
  await user.click(box('Zoe Desk'));
  await choose(user, 'Deactivate');
  const dialog = await findDialog('Deactivate');
  expect(dialog).toHaveTextContent('Deactivate 3 users?');
  expect(dialog).toHaveTextContent('Skipped: 1 Zendesk user.');
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answer(getBulk, { ...JOB, state: 'done', total: 3, done: 3 });
  await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('3 users were deactivated.');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected users' })).toBeNull());
  const ids = [...PEOPLE.slice(0, 3), zoe].map(({ id }) => id);
  expect(calls(startBulk).map(({ body }) => body)).toEqual([
    { action: 'deactivate', user_ids: ids, dry_run: true },
    { action: 'deactivate', user_ids: ids },
  ]);
});

test('an end date is asked for before the users are counted', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Ada Member');
  await user.click(box('Ada Member'));
  await choose(user, 'Set end date');
  const asking = within(await findDialog('Set end date'));
  expect(asking.getByRole('button', { name: 'Continue' })).toBeDisabled();
  fireEvent.change(asking.getByLabelText('End date'), { target: { value: '2036-03-31' } });
  await user.click(asking.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Set the end date of 3 users to Mar 31, 2036?');
  answer(getBulk, { ...JOB, action: 'set_end', state: 'done', total: 1, done: 1 });
  await user.click(within(await findDialog('Set end date')).getByRole('button', { name: 'Set end date' }));
  await screen.findByText('1 user has the end date now.');
  const job = { action: 'set_end', user_ids: [PEOPLE[0]?.id], ends_on: '2036-03-31' };
  expect(calls(startBulk).map(({ body }) => body)).toEqual([{ ...job, dry_run: true }, job]);
});

test('all matching users but one are selected, and the action applies to the filters of the list', async () => {
  answer(listUsers, ({ query: { last_key } }) =>
    last_key === undefined
      ? { records: [...PEOPLE, listedOlivia], last_key: 'next', total: 125 }
      : Promise.withResolvers<never>().promise,
  );
  const { user } = openScreen('/users/users?member=1');
  await findRow('Ada Member');
  await user.click(screen.getByRole('checkbox', { name: 'Select all loaded users' }));
  const bar = await findBar();
  expect(bar).toHaveTextContent('6 users selected');
  await user.click(within(bar).getByRole('button', { name: 'Select all 125 that match' }));
  expect(bar).toHaveTextContent('125 users selected');
  await user.click(box('Ben Member'));
  expect(bar).toHaveTextContent('124 users selected');
  await choose(user, 'Make admin');
  expect(await findDialog('Make admin')).toHaveTextContent('Make 3 users admins of this team?');
  expect(calls(startBulk)[0]?.body).toEqual({
    action: 'make_admin',
    dry_run: true,
    filter: { member: '1', except: [PEOPLE[1]?.id] },
  });
});

test('the keyboard alone chooses a range, and Escape chooses nothing', async () => {
  const { user } = openScreen('/users/users');
  await findRow('Ada Member');
  box('Ada Member').focus();
  await user.keyboard(' {Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  const bar = await findBar();
  expect(bar).toHaveTextContent('3 users selected');
  await waitFor(() => expect(box('Cleo Member')).toHaveFocus());
  await user.keyboard('{ArrowDown}{ArrowDown}{Shift>} {/Shift}');
  expect(bar).toHaveTextContent('5 users selected');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(bar).not.toBeInTheDocument());
  await waitFor(() => expect(box('Eve Member')).toHaveFocus());
});

test('progress survives a reload, and other filters start with nothing chosen', async () => {
  answer(getBulk, JOB);
  const { user } = openScreen('/users/users');
  await findRow('Ada Member');
  await user.click(box('Ada Member'));
  const bar = await findBar();
  await user.click(screen.getByRole('button', { name: /^Filters/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'Member' }));
  await waitFor(() => expect(bar).not.toBeInTheDocument());
  await user.click(box('Ada Member'));
  await choose(user, 'Deactivate');
  await user.click(within(await findDialog('Deactivate')).getByRole('button', { name: 'Deactivate' }));
  const progress = await screen.findByRole('region', { name: 'Change in progress' });
  await waitFor(() => expect(progress).toHaveTextContent('Deactivate: 2 of 5 users'));
  cleanup();
  openScreen('/users/users');
  const again = await screen.findByRole('region', { name: 'Change in progress' });
  await waitFor(() => expect(again).toHaveTextContent('Deactivate: 2 of 5 users'));
  answer(getBulk, { ...JOB, state: 'done', done: 4, failed: [{ user_id: 'b'.repeat(26), error: 'server.error' }] });
  await screen.findByText('4 users were deactivated. 1 user could not be changed.');
  expect(screen.getByRole('link', { name: 'Download failures' })).toBeInTheDocument();
  await waitFor(() => expect(again).not.toBeInTheDocument());
});
