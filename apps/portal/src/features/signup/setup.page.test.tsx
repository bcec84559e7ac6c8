import { setUp } from '@steward/contract/signup';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { calls, refuse } from '#testing/fake-server.ts';
import { openPortal } from '#testing/open-screen.tsx';

const PATH = `/setup?token=${'a'.repeat(43)}`;

function fill(label: string, value: string): void {
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
}

test('wrong input is named at its field, and nothing is sent', async () => {
  const { user } = openPortal(PATH);
  await user.click(await screen.findByRole('button', { name: 'Create team' }));
  for (const text of ['Name is required.', 'Email is required.', 'First name is required.', 'Password is required.'])
    expect(screen.getByText(text)).toBeInTheDocument();
  expect(screen.getByLabelText('Company or team name')).toHaveFocus();
  fill('Your email', 'kim');
  await user.click(screen.getByRole('button', { name: 'Create team' }));
  expect(screen.getByText('This is not an email address.')).toBeInTheDocument();
  expect(calls(setUp)).toEqual([]);
});

test('a refusal of the password is shown at its field, and the link is kept', async () => {
  refuse(setUp, 'password.too_common');
  const { user } = openPortal(PATH);
  await screen.findByRole('button', { name: 'Create team' });
  const answers = { 'Company or team name': 'Northwind', 'Your email': 'kim@example.test', 'First name': 'Nora' };
  for (const [label, value] of Object.entries(answers)) fill(label, value);
  fill('Last name', 'New');
  fill('Password', 'password123');
  fill('Re-enter password', 'password123');
  await user.click(screen.getByRole('button', { name: 'Create team' }));
  await screen.findByText('This password is too common. Choose another one.');
  await waitFor(() => expect(screen.getByLabelText('Password', { selector: 'input' })).toHaveFocus());
  expect(JSON.stringify({ ...sessionStorage })).toContain('a'.repeat(43));
});
