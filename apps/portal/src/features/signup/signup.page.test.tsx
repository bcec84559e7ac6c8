import { signUp } from '@steward/contract/signup';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { answer, calls, disconnect, hold, refuse } from '#testing/fake-server.ts';
import { openPortal } from '#testing/open-screen.tsx';
import { EMPTY_DRAFT } from './signup.form.ts';
import { storedDraft } from './stored-draft.ts';

const OWNER = 'olivia@example.test';
const SEND = 'Confirm and send link';
const DONE = 'Check your email for the magic link';
const FILLED = { ...EMPTY_DRAFT, team_name: 'Northwind', owner_email: OWNER };

const button = (name: string) => screen.getByRole('button', { name });
const row = (number: number) => screen.getByRole('textbox', { name: `Teammate ${number}` });
const getRows = () => screen.queryAllByRole('textbox', { name: /^Teammate \d+$/ });
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name });
const fill = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const getAnswers = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);

/** Opens the wizard in a tab where these answers were given. */
async function openStep(step: string, answers: Partial<typeof EMPTY_DRAFT> = {}) {
  storedDraft.write(JSON.stringify({ ...FILLED, ...answers }));
  const opened = openPortal(`/signup?step=${step}`);
  await screen.findByRole('heading', { level: 1 });
  return opened;
}

async function paste(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}

/** The server writes this value into the page. */
function setSignUpAccess(content: string): void {
  document.head.append(Object.assign(document.createElement('meta'), { name: 'sign-up', content }));
}

afterEach(() => document.querySelector('meta[name="sign-up"]')?.remove());

test('Continue is disabled until the name and the address are valid, and says why', async () => {
  const { user } = openPortal('/signup');
  await findTitle('Name your team');
  expect(button('Continue')).toHaveAttribute('aria-disabled', 'true');
  fill(screen.getByLabelText('Company or team name'), 'www.evil.example');
  await user.keyboard('{Enter}');
  await screen.findByText('The name must not be a web address.');
  fill(screen.getByLabelText('Company or team name'), 'Northwind');
  await user.keyboard('{Enter}');
  const email = await screen.findByLabelText('Owner email');
  for (const wrong of ['olivia', 'olivia@', 'olivia@example', 'ölivia@example.test']) {
    fill(email, wrong);
    expect(button('Continue')).toHaveAttribute('aria-disabled', 'true');
  }
  await user.keyboard('{Enter}');
  await screen.findByText('This is not an email address.');
  fill(email, ' Olivia@Example.test ');
  expect(button('Continue')).not.toHaveAttribute('aria-disabled', 'true');
  expect(screen.queryByText('This is not an email address.')).toBeNull();
});

test('a pasted list fills the rows, each address once, and the surplus is reported', async () => {
  const { user } = await openStep('invite');
  await paste(
    user,
    row(2),
    'Kim Lee <kim@example.test>; "Ray, Bob" <bob@example.test>,\r\nKIM@example.test ann@x.test',
  );
  expect(getRows().map((field) => (field as HTMLInputElement).value)).toEqual([
    ...['kim@example.test', 'bob@example.test', 'ann@x.test'],
  ]);
  expect(screen.queryByText(/left out/)).toBeNull();
  await user.click(button('Add more'));
  expect(row(4)).toHaveFocus();
  await paste(user, row(4), Array.from({ length: 10 }, (_, at) => `p${at}@example.test`).join('\n'));
  expect(getRows()).toHaveLength(10);
  const leftOut = screen.getByText('3 addresses were left out. You can invite up to 10 people.');
  expect(leftOut).toHaveAttribute('role', 'status');
  expect(screen.queryByRole('button', { name: 'Add more' })).toBeNull();
  await user.click(button('Remove p3@example.test'));
  expect(row(7)).toHaveFocus();
  expect(row(7)).toHaveValue('p4@example.test');
  expect(button('Add more')).toBeInTheDocument();
  expect(screen.queryByText(/left out/)).toBeNull();
});

test('each invalid row says why, and blocks the next step', async () => {
  const { user } = await openStep('invite');
  fill(row(1), 'kim@example.test');
  fill(row(2), 'bob@');
  expect(screen.queryByText(/not an email address/)).toBeNull();
  fill(row(3), 'Kim@Example.test ');
  await user.click(button('Add more'));
  fill(row(4), OWNER.toUpperCase());
  await user.click(button('Continue'));
  expect(row(2)).toHaveFocus();
  expect(row(2)).toHaveAccessibleDescription('This is not an email address.');
  expect(row(3)).toHaveAccessibleDescription('This address is already listed.');
  expect(row(4)).toHaveAccessibleDescription("This is your own address. You'll be in the team anyway.");
  await user.click(button('Remove Kim@Example.test'));
  await user.click(button(`Remove ${OWNER.toUpperCase()}`));
  expect(row(2)).toHaveFocus();
  fill(row(2), 'bob@example.test, ann@example.test');
  await user.click(button('Continue'));
  await findTitle('Review');
  // The list that was typed into one row is split.
  expect(getAnswers().at(-1)).toBe('kim@example.testbob@example.testann@example.test');
});

test('every row can be removed, and then no one is invited', async () => {
  const { user } = await openStep('invite');
  for (let left = 3; left > 0; left -= 1) await user.click(button('Remove teammate 1'));
  expect(button('Add more')).toHaveFocus();
  await user.click(button('Continue'));
  await findTitle('Review');
  expect(getAnswers().at(-1)).toBe('No one yet');
  await user.click(button('Continue'));
  await screen.findByText('No one will be invited yet. You can invite people later.');
});

test('Back and the browser’s Back go one step back', async () => {
  const { user, router } = openPortal('/signup');
  fill(await screen.findByLabelText('Company or team name'), 'Northwind');
  await user.keyboard('{Enter}');
  fill(await screen.findByLabelText('Owner email'), OWNER);
  await user.keyboard('{Enter}');
  await findTitle('Invite teammates');
  fill(row(1), 'kim@example.test');
  await user.click(button('Continue'));
  await findTitle('Review');
  await user.click(button('Back'));
  await findTitle('Invite teammates');
  expect(row(1)).toHaveValue('kim@example.test');
  router.history.back();
  await screen.findByLabelText('Owner email');
  router.history.back();
  expect(await screen.findByLabelText('Company or team name')).toHaveValue('Northwind');
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  router.history.forward();
  await screen.findByText('Step 2 of 5');
});

test.for([
  ['review', {}, '/signup?step=confirm', 'Confirm invitees', 'done'],
  ['review', { team_name: '' }, '/signup', 'Name your team', 'review'],
  ['nonsense', {}, '/signup', 'Name your team', 'nonsense'],
] as const)('the URL of a later step leads to the first open one: %s', async ([, answers, path, title, step]) => {
  const { router } = await openStep(step, answers);
  await findTitle(title);
  expect(router.state.location.href).toBe(path);
});

test('Back works on a step that was opened by its URL', async () => {
  const { user, router } = await openStep('owner');
  await user.click(button('Back'));
  await findTitle('Name your team');
  expect(router.state.location.href).toBe('/signup');
});

test('answers are kept in this tab only, as they are typed', async () => {
  await openStep('invite');
  fill(row(2), 'kim@exam');
  expect(JSON.stringify({ ...sessionStorage })).toContain('kim@exam');
  expect(JSON.stringify({ ...localStorage })).not.toContain('exam');
});

test('an edit leads from the review back to the review, unless another answer is wrong now', async () => {
  const { user } = await openStep('review', { invitees: ['kim@example.test'] });
  await user.click(screen.getByRole('link', { name: 'Edit Company or team name' }));
  const name = await screen.findByLabelText('Company or team name');
  expect(name).toHaveFocus();
  fill(name, 'Southwind');
  await user.keyboard('{Enter}');
  await findTitle('Review');
  expect(getAnswers()[0]).toBe('Southwind');
  await user.click(screen.getByRole('link', { name: 'Edit Owner email' }));
  fill(await screen.findByLabelText('Owner email'), 'kim@example.test');
  await user.click(button('Continue'));
  await findTitle('Invite teammates');
  expect(screen.getByText(/This is your own address/)).toBeInTheDocument();
});

test('an invitee removed at the last step isn’t invited', async () => {
  answer(signUp, { status_code: 200 });
  const { user } = await openStep('confirm', { invitees: ['kim@example.test', 'bob@example.test'] });
  expect(within(screen.getByRole('list', { name: 'Invitees' })).getAllByRole('listitem')).toHaveLength(2);
  await user.click(button('Remove kim@example.test'));
  expect(screen.getByText(/We'll invite these people/)).toHaveFocus();
  await user.click(button(SEND));
  await findTitle(DONE);
  expect(calls(signUp)[0]?.body).toMatchObject({ team_name: 'Northwind', invitees: ['bob@example.test'] });
});

test('a failure is shown in place, nothing is lost, and a retry works', async () => {
  disconnect(signUp);
  const { user } = await openStep('confirm');
  await user.click(button(SEND));
  expect(await screen.findByRole('alert')).toHaveTextContent(/^API error$/);
  refuse(signUp, 'rate.limited');
  await user.click(button(SEND));
  await waitFor(() =>
    expect(screen.getByRole('alert')).toHaveTextContent('Too many attempts. Wait a few minutes and try again.'),
  );
  answer(signUp, { status_code: 200 });
  await user.click(button(SEND));
  await findTitle(DONE);
  expect(screen.getByText(/We sent a link to/)).toHaveTextContent(OWNER);
});

test('a double click sends once, and the button shows that it is busy', async () => {
  const release = hold(signUp, { status_code: 200 });
  const { user } = await openStep('confirm');
  await user.dblClick(button(SEND));
  await waitFor(() => expect(button(SEND)).toHaveAttribute('aria-busy', 'true'));
  await user.keyboard('{Enter}');
  release();
  await findTitle(DONE);
  expect(calls(signUp)).toHaveLength(1);
});

test('the email can be resent 30 seconds after the last one', async () => {
  answer(signUp, { status_code: 200 });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000);
  onTestFinished(() => clock.mockRestore());
  vi.useFakeTimers({ toFake: ['Date'] });
  const { user } = await openStep('done', { sent_at: Date.now() - 10_000 });
  expect(button('Send again')).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByText('available in 20 s')).toBeInTheDocument();
  // In this fraction's arithmetic, 30 seconds later is a little more than 30 seconds later.
  clock.mockReturnValue(40_002.443_261);
  await waitFor(() => expect(screen.queryByText(/available in/)).toBeNull());
  await user.click(button('Send again'));
  await screen.findByText('Sent again. The earlier link still works.');
  expect(button('Send again')).toHaveAttribute('aria-disabled', 'true');
  expect(button('Send again')).toHaveFocus();
  expect(screen.getByText('available in 30 s')).toBeInTheDocument();
  expect(calls(signUp)).toHaveLength(1);
});

test('the address can be changed after the email was sent', async () => {
  answer(signUp, { status_code: 200 });
  const { user } = await openStep('done', { sent_at: 1, invitees: ['kim@example.test'] });
  await user.click(screen.getByRole('link', { name: 'Use another address' }));
  const email = await screen.findByLabelText('Owner email');
  fill(email, 'right@example.test');
  await user.click(button('Continue'));
  await findTitle('Confirm invitees');
  expect(screen.getByText('kim@example.test')).toBeInTheDocument();
  await user.click(button(SEND));
  await findTitle(DONE);
  expect(screen.getByText(/We sent a link to/)).toHaveTextContent('right@example.test');
  expect(calls(signUp)[0]?.body).toMatchObject({ owner_email: 'right@example.test', invitees: ['kim@example.test'] });
});

test('starting over clears the input', async () => {
  const { user } = await openStep('done', { sent_at: 1 });
  await user.click(button('Start over'));
  expect(await screen.findByLabelText('Company or team name')).toHaveValue('');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain(OWNER);
});

test('the wizard says that sign-up is closed, and shows no field; sign-in doesn’t link to it', async () => {
  setSignUpAccess('off');
  const { router } = openPortal('/signup?step=review');
  await waitFor(async () => expect(await findTitle('Sign-up is closed')).toHaveFocus());
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(document.title).toBe('Sign-up is closed · Steward');
  await router.navigate({ to: '/login' });
  await screen.findByRole('link', { name: 'Forgot Password' });
  expect(screen.queryByRole('link', { name: 'Create a team' })).toBeNull();
});

test('the wizard says that only certain domains may sign up, and shows the refusal', async () => {
  setSignUpAccess('domains');
  refuse(signUp, 'signup.domain');
  const { user } = await openStep('owner');
  expect(screen.getByText(/^Only addresses of certain domains can sign up on this server/)).toBeInTheDocument();
  for (const title of ['Invite teammates', 'Review', 'Confirm invitees']) {
    await user.click(button('Continue'));
    await findTitle(title);
  }
  await user.click(button(SEND));
  expect(await screen.findByRole('alert')).toHaveTextContent('Only addresses of certain domains can sign up a team');
});
