import {
  addInvitationLink,
  type InvitationLink,
  listInvitationLinks,
  revokeInvitationLink,
} from '@steward/contract/users/invitation-links';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { OLIVIA, openScreen } from '#testing/open-screen.tsx';
import { findDialog, toId } from '#testing/users.ts';

const PATH = '/users/invitation_links';
const DAY_MS = 86_400_000;
const URL_OF_LINK = 'https://steward.test/join?token=a-token-of-more-than-twenty-characters';

function link(name: string, fields: Partial<InvitationLink> = {}): InvitationLink {
  return {
    id: toId(name),
    name,
    domains: [],
    max_uses: 25,
    uses: 0,
    pending: 0,
    state: 'open',
    created_by: OLIVIA.id,
    created_by_name: 'Olivia Owner',
    created_at: 1,
    expires_at: Date.now() + 7 * DAY_MS,
    members_end_on: null,
    ...fields,
  };
}

const FAIR = link('Job fair', { uses: 3, pending: 2, domains: ['example.com', 'example.org'] });
const answerLinks = (...records: InvitationLink[]) => answer(listInvitationLinks, { records, last_key: null });

beforeEach(() => answerLinks(FAIR, link('')));

const findLink = (name: string) => screen.findByRole('row', { name: new RegExp(`^${name}`) });
const getCell = (row: HTMLElement, label: string) => row.querySelector(`[data-label="${label}"]`);

async function openCreate() {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Create Link' }));
  return { user, form: within(await findDialog('Create Link')) };
}

test('a link can give those who join an end date', async () => {
  answer(addInvitationLink, { ...link('', { members_end_on: '2036-03-31' }), url: URL_OF_LINK });
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Create Link' }));
  const dialog = within(await findDialog('Create Link'));
  fireEvent.change(dialog.getByLabelText('End date of those who join'), { target: { value: '2036-03-31' } });
  answerLinks(link('Fellows', { members_end_on: '2036-03-31' }));
  await user.click(dialog.getByRole('button', { name: 'Create Link' }));
  await findDialog('Copy the link now');
  expect(calls(addInvitationLink)[0]?.body).toMatchObject({ members_end_on: '2036-03-31' });
  await user.click(screen.getByRole('button', { name: 'Done' }));
  await screen.findByText('Members until Mar 31, 2036');
});

test('an empty list says what links are for', async () => {
  answerLinks();
  openScreen(PATH);
  await screen.findByRole('heading', { name: 'No invitation links' });
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Invitation Links');
});

test('the list shows who joined and was invited, the domains and the state of each link', async () => {
  const ended = (['stopped', 'used_up', 'expired', 'revoked'] as const).map((state) => link(`Was ${state}`, { state }));
  answerLinks(FAIR, link('', { created_by_name: 'Adam Admin' }), ...ended);
  openScreen(PATH);
  const row = await findLink('Job fair');
  expect(getCell(row, 'Joined')).toHaveTextContent('3 of 25');
  expect(getCell(row, 'Joined')).toHaveTextContent('2 invited');
  expect(getCell(row, 'Email domains')).toHaveTextContent('example.com, example.org');
  expect(getCell(row, 'State')).toHaveTextContent('Open');
  const unnamed = await findLink('Link by Adam Admin');
  expect(getCell(unnamed, 'Email domains')).toHaveTextContent('Any');
  const states = ['Stopped', 'Used up', 'Expired', 'Revoked'];
  for (const [at, { name }] of ended.entries())
    expect(getCell(await findLink(name), 'State')).toHaveTextContent(states[at] ?? '');
  const revocable = screen.getAllByRole('button', { name: /^Revoke / }).map((each) => each.getAttribute('aria-label'));
  expect(revocable).toEqual(['Revoke Job fair', 'Revoke Link by Adam Admin', 'Revoke Was stopped']);
});

test('a list that can’t be loaded says so and can be tried again', async () => {
  refuse(listInvitationLinks, 'server.error');
  const { user } = openScreen(PATH);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answerLinks(FAIR);
  await user.click(retry);
  await findLink('Job fair');
});

test('a link is created with the proposed end and number, and is shown once with a QR code', async () => {
  const { user, form } = await openCreate();
  expect(form.getByRole('textbox', { name: 'Name' })).toHaveFocus();
  const added = link('', { domains: ['example.com'] });
  answer(addInvitationLink, { ...added, url: URL_OF_LINK });
  answerLinks(added);
  fireEvent.change(form.getByRole('textbox', { name: 'Email domains' }), {
    target: { value: 'Example.com, example.org' },
  });
  await user.click(form.getByRole('button', { name: 'Create Link' }));
  const shown = await findDialog('Copy the link now');
  const domains = ['example.com', 'example.org'];
  expect(calls(addInvitationLink)[0]?.body).toEqual({
    name: '',
    hours: 168,
    max_uses: 25,
    domains,
    members_end_on: null,
  });
  expect(shown).toHaveTextContent('Up to 25 people with an address of example.com can join Northwind with it until');
  within(shown).getByRole('img', { name: 'QR code of the link' });
  await user.keyboard('{Escape}');
  expect(shown).toBeInTheDocument();
  await user.click(within(shown).getByRole('button', { name: 'Copy' }));
  await within(shown).findByText('Copied');
  expect(await navigator.clipboard.readText()).toBe(URL_OF_LINK);
  await user.click(within(shown).getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Create Link' })).toHaveFocus());
  await findLink('Link by Olivia Owner');
  expect(document.body).not.toHaveTextContent(URL_OF_LINK);
});

test('a wrong number and a wrong domain are explained beside their fields', async () => {
  const { user, form } = await openCreate();
  await user.clear(form.getByRole('textbox', { name: 'People who can join' }));
  await user.type(form.getByRole('textbox', { name: 'People who can join' }), '501');
  fireEvent.change(form.getByRole('textbox', { name: 'Email domains' }), { target: { value: 'ann@example.com' } });
  await user.type(form.getByRole('textbox', { name: 'Email domains' }), '{Enter}');
  await form.findByText('Enter a whole number from 1 to 500.');
  await form.findByText('Enter at most 20 domains such as example.com, with commas between.');
  expect(form.getByRole('textbox', { name: 'People who can join' })).toHaveFocus();
  expect(calls(addInvitationLink)).toEqual([]);
});

test('a refusal stays beside the fields, and nothing that was entered is lost', async () => {
  const { user, form } = await openCreate();
  refuse(addInvitationLink, 'users.too_many_links');
  fireEvent.change(form.getByRole('textbox', { name: 'Name' }), { target: { value: 'Job fair' } });
  await user.type(form.getByRole('textbox', { name: 'Name' }), '{Enter}');
  expect(await form.findByText(/as many open invitation links as it can have/)).toBeInTheDocument();
  expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Job fair');
});

test('revoking names the link and what is canceled; one that is revoked already says so', async () => {
  const { user } = openScreen(PATH);
  await user.click(await screen.findByRole('button', { name: 'Revoke Job fair' }));
  const question = await findDialog('Revoke Link');
  expect(question).toHaveTextContent(
    'Job fair will stop working immediately, and the 2 invitations it led to are canceled. People who joined stay.',
  );
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
  answer(revokeInvitationLink, { status_code: 200 });
  answerLinks({ ...FAIR, state: 'revoked', pending: 0 }, link(''));
  await user.click(within(question).getByRole('button', { name: 'Revoke' }));
  await screen.findByText('Link revoked');
  await waitFor(async () => expect(getCell(await findLink('Job fair'), 'State')).toHaveTextContent('Revoked'));
  await user.click(await screen.findByRole('button', { name: 'Revoke Link by Olivia Owner' }));
  refuse(revokeInvitationLink, 'record.not_found');
  const other = await findDialog('Revoke Link');
  expect(other).toHaveTextContent('will stop working immediately. People who joined stay.');
  await user.click(within(other).getByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Someone else already revoked this link.')).toBeInTheDocument();
});
