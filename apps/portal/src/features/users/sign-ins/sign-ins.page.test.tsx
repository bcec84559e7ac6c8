import { listSignIns, type SignIn } from '@steward/contract/users/sign-ins';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, disconnect } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { getRows, rowsAre } from '#testing/rows.ts';
import { takeSavedFiles } from '#testing/saved-files.ts';
import { answerUsers, chooseAction, member } from '#testing/users.ts';

const ada = member('Ada', 'Lovelace');

function signIn(who: Pick<SignIn, 'first_name' | 'last_name' | 'email' | 'id'>, fields: Partial<SignIn> = {}): SignIn {
  const { first_name, last_name, email, id } = who;
  return {
    id: Math.random().toString(36).slice(2).padEnd(26, '0'),
    at: Date.now(),
    user_id: id,
    email,
    first_name,
    last_name,
    outcome: 'ok',
    method: 'password',
    address: '192.0.2.44',
    device: 'Firefox on Linux',
    request_id: 'request-1',
    ...fields,
  };
}

const LOG = [
  signIn(OLIVIA),
  signIn(ada, { outcome: 'bad_password', device: 'Safari on iOS' }),
  signIn(ada, { outcome: 'throttled' }),
];

beforeEach(() => {
  answerUsers(ada);
  answer(listSignIns, ({ query: { user_id, outcome, from } }) => ({
    records: LOG.filter(
      (record) =>
        (user_id === undefined || record.user_id === user_id) &&
        (outcome === undefined || record.outcome === outcome) &&
        (from === undefined || record.at >= Number(from)),
    ),
    last_key: null,
  }));
});

test('an empty log says what will appear in it', async () => {
  answer(listSignIns, { records: [], last_key: null });
  openScreen('/users/sign_ins');
  await screen.findByRole('heading', { name: 'No sign-ins yet' });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Sign-in Log');
});

test('a row says who signed in how, when, from where and with what result', async () => {
  openScreen('/users/sign_ins');
  await rowsAre(3);
  for (const text of ['Ada Lovelace', ada.email, 'Wrong password', 'Password', 'Safari on iOS', '192.0.2.44'])
    expect(getRows()[1]).toHaveTextContent(text);
  expect(getRows()[0]?.querySelector('time')).toHaveAttribute('title', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/));
});

test('each filter applies immediately, is part of the address, and Reset removes all of them', async () => {
  const { user, router } = openScreen('/users/sign_ins');
  const path = () => router.state.location.href;
  await rowsAre(3);
  await user.click(screen.getByRole('button', { name: 'User: Anyone' }));
  await user.type(await screen.findByRole('textbox', { name: 'Search people' }), 'ada');
  await user.click(await screen.findByRole('option', { name: /^Ada Lovelace/ }));
  await rowsAre(2);
  expect(path()).toBe(`/users/sign_ins?user=${ada.id}`);
  await waitFor(() => expect(screen.getByRole('button', { name: 'User: Ada Lovelace' })).toHaveFocus());
  await user.selectOptions(screen.getByRole('combobox', { name: 'Result' }), 'Wrong password');
  await rowsAre(1);
  expect(path()).toBe(`/users/sign_ins?user=${ada.id}&result=bad_password`);
  fireEvent.change(screen.getByLabelText('From date'), { target: { value: '2100-01-01' } });
  await screen.findByRole('heading', { name: 'Nothing found' });
  await user.click(screen.getByRole('button', { name: 'Show all sign-ins' }));
  await rowsAre(3);
  expect(path()).toBe('/users/sign_ins');
  expect(screen.getByLabelText('From date')).toHaveValue('');
});

test('the menu of a user leads to their sign-ins', async () => {
  const { user, router } = openScreen('/users/users');
  await chooseAction(user, 'Ada Lovelace', 'Sign-ins');
  await waitFor(() => expect(router.state.location.href).toBe(`/users/sign_ins?user=${ada.id}`));
  await rowsAre(2);
  expect(screen.getByRole('button', { name: 'User: Ada Lovelace' })).toBeInTheDocument();
});

test('the CSV has every row of the current filters, with formulas neutralized', async () => {
  const eve = { ...ada, first_name: '=HYPERLINK("x")', last_name: 'Eve', email: 'eve@example.test' };
  answer(listSignIns, ({ query: { last_key } }) => ({
    records: [last_key === undefined ? signIn(eve, { outcome: 'bad_password' }) : signIn(OLIVIA)],
    last_key: last_key === undefined ? 'next' : null,
  }));
  const { user } = openScreen('/users/sign_ins?result=bad_password');
  await rowsAre(2);
  await user.click(screen.getByRole('button', { name: 'Download CSV' }));
  const [file] = await waitFor(() => {
    const files = takeSavedFiles();
    expect(files).toHaveLength(1);
    return files;
  });
  expect(file?.name).toBe('steward-sign-ins.csv');
  const lines = (await file?.lines) ?? [];
  expect(lines[0]).toMatch(
    /^\uFEFF?When,First Name,Last Name,Email,Result,Method,Device,IP address,Outcome,User id,Request id$/,
  );
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain(
    `,"'=HYPERLINK(""x"")",Eve,${eve.email},Wrong password,Password,Firefox on Linux,192.0.2.44,bad_password,`,
  );
  expect(calls(listSignIns).at(-1)?.query).toMatchObject({ outcome: 'bad_password', last_key: 'next' });
});

test('a log that fails to load shows the cause, and Retry loads it', async () => {
  disconnect(listSignIns);
  const { user } = openScreen('/users/sign_ins');
  await screen.findByRole('heading', { name: 'An Error Occurred!' });
  answer(listSignIns, { records: LOG, last_key: null });
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await rowsAre(3);
});
