import { getSso, type SsoConnection, saveSso, testSso } from '@steward/contract/sso/connection';
import { addDomain, listDomains, verifyDomain } from '@steward/contract/sso/domains';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { answer, calls, refuse } from '#testing/fake-server.ts';
import { openScreen } from '#testing/open-screen.tsx';
import { findDialog } from '#testing/users.ts';

const PATH = '/dashboard/team_settings/sso';

const NONE: SsoConnection = {
  id: null,
  name: '',
  issuer: '',
  client_id: '',
  has_secret: false,
  enabled: false,
  required: false,
  jit: false,
  default_role: 'team_user',
  group_claim: '',
  group_roles: {},
  redirect_uri: '',
  logout_uri: '',
  tested_at: null,
  has_break_glass: false,
};
const STORED: SsoConnection = {
  ...NONE,
  id: 'c'.repeat(26),
  name: 'Company ID',
  issuer: 'https://id.steward.example',
  client_id: 'steward',
  has_secret: true,
  redirect_uri: 'https://steward.test/callback',
  logout_uri: 'https://steward.test/logout',
};
const DOMAIN = {
  id: 'd'.repeat(26),
  domain: 'company.example',
  verified_at: null,
  missing_since: null,
  record: { name: '_steward.company.example', type: 'TXT' as const, value: 'steward=1' },
};

beforeEach(() => {
  answer(getSso, STORED);
  answer(listDomains, { records: [] });
});

const findForm = async () => within(await screen.findByRole('form', { name: 'Single Sign-On' }));

test('a domain is refused with a reason, added, and verified once its record is found', async () => {
  answer(getSso, NONE);
  const { user } = openScreen(PATH);
  const field = await screen.findByRole('textbox', { name: 'Add a domain' });
  const add = screen.getByRole('button', { name: 'Add' });
  expect(add).toBeDisabled();
  refuse(addDomain, 'domains.public');
  fireEvent.change(field, { target: { value: 'gmail.com' } });
  await user.click(add);
  await screen.findByText(/^This domain is shared by many organizations/);
  answer(addDomain, DOMAIN);
  answer(listDomains, { records: [DOMAIN] });
  await user.clear(field);
  fireEvent.change(field, { target: { value: 'company.example' } });
  await user.type(field, '{Enter}');
  const row = within(await screen.findByRole('group', { name: 'company.example' }));
  expect(row.getByText('Not verified')).toBeInTheDocument();
  expect(row.getByRole('textbox', { name: 'Record value' })).toHaveValue('steward=1');
  refuse(verifyDomain, 'domains.not_found');
  await user.click(row.getByRole('button', { name: 'Verify' }));
  expect(await row.findByRole('alert')).toHaveTextContent("The DNS record wasn't found yet");
  const verified = { ...DOMAIN, verified_at: 1 };
  answer(verifyDomain, verified);
  answer(listDomains, { records: [verified] });
  await user.click(row.getByRole('button', { name: 'Verify' }));
  await row.findByText('Verified');
  expect(row.queryByRole('textbox', { name: 'Record value' })).toBeNull();
});

test('saved settings are checked and tested before single sign-on can be switched on', async () => {
  const { user } = openScreen(PATH);
  const form = await findForm();
  expect(form.getByText('Not tested with these settings yet.')).toBeInTheDocument();
  expect(form.getByRole('switch', { name: /^Users can sign in by single sign-on/ })).toBeDisabled();
  expect(form.getByRole('link', { name: 'Test sign-in' })).toHaveAttribute(
    'href',
    `/auth/oidc/${STORED.id}/start?return=${encodeURIComponent(PATH)}`,
  );
  answer(testSso, { checks: [{ name: 'Issuer', ok: false, message: "The server can't reach it." }] });
  await user.click(form.getByRole('button', { name: 'Check configuration' }));
  expect(await form.findByLabelText('Results of the check')).toHaveTextContent(
    "ProblemIssuer: The server can't reach it.",
  );
  fireEvent.change(form.getByLabelText('Client secret'), { target: { value: 'another' } });
  expect(form.getByText('Save your changes first.')).toBeInTheDocument();
  expect(form.getByRole('button', { name: 'Check configuration' })).toBeDisabled();
});

test('tested settings can be switched on, and required once an owner is named', async () => {
  answer(getSso, { ...STORED, tested_at: 1 });
  const { user } = openScreen(PATH);
  const form = await findForm();
  expect(form.getByText(/^Tested successfully/)).toBeInTheDocument();
  await user.click(form.getByRole('switch', { name: /^Users can sign in by single sign-on/ }));
  const required = form.getByRole('switch', { name: /^Require single sign-on/ });
  expect(required).toBeDisabled();
  expect(form.getByText(/^First, name an owner with a second factor/)).toBeInTheDocument();
  answer(saveSso, { ...STORED, tested_at: 1, enabled: true, has_break_glass: true });
  answer(getSso, { ...STORED, tested_at: 1, enabled: true, has_break_glass: true });
  await user.click(form.getByRole('button', { name: 'Save' }));
  await screen.findByText('Saved Successfully');
  expect(calls(saveSso)[0]?.body).toMatchObject({ enabled: true, required: false, name: 'Company ID' });
  await waitFor(() => expect(required).toBeEnabled());
});

test('another secret warns that saving switches it off, and removing asks first', async () => {
  answer(getSso, { ...STORED, tested_at: 1, enabled: true });
  const { user } = openScreen(PATH);
  const form = await findForm();
  expect(form.queryByRole('note')).toBeNull();
  fireEvent.change(form.getByLabelText('Client secret'), { target: { value: 'another' } });
  expect(form.getByRole('note')).toHaveTextContent('Saving this switches single sign-on off and ends its sessions');
  await user.click(form.getByRole('button', { name: 'Remove single sign-on' }));
  const question = await findDialog('Remove single sign-on');
  expect(question).toHaveTextContent('use their passwords from now on');
  await waitFor(() => expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus());
});

test('an admin who isn’t an owner sees who can set it up', async () => {
  openScreen(PATH, ['team_admin', 'team_user']);
  await screen.findByRole('heading', { name: 'Only owners can set up single sign-on' });
  expect(screen.queryByRole('form')).toBeNull();
});
