import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openScreen } from '#testing/open-screen.tsx';

const PATH = '/dashboard/files';

// A call would fail the test, because none has an answer.
test('sample files are listed in six groups, without any call', async () => {
  openScreen(PATH);
  expect(await screen.findByRole('note')).toHaveTextContent('These are sample files');
  const titles = within(screen.getByRole('main')).getAllByRole('heading', { level: 2 });
  expect(titles.map(({ textContent }) => textContent?.replace(/ \d+$/, ''))).toEqual([
    ...['Video', 'Image', 'Text', 'XML', 'Office', 'Other'],
  ]);
  const [first] = within(screen.getByRole('list', { name: /^Office/ })).getAllByRole('listitem');
  expect(first).toHaveTextContent(/Budget\.xlsx.*88 KB.*Feb 20, 2026/);
});

test('the menu of a file works by keyboard, says that it isn’t available, and returns the focus', async () => {
  const { user } = openScreen(PATH);
  const button = await screen.findByRole('button', { name: 'Actions for Logo.png' });
  button.focus();
  await user.keyboard('{Enter}');
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Open', 'Cut', 'Copy', 'Rename', 'Delete']);
  await waitFor(() => expect(items[0]).toHaveFocus());
  expect(items[0]).toHaveAccessibleDescription('Not available in preview');
  for (const item of items.slice(1)) {
    await user.keyboard('{ArrowDown}');
    expect(item).toHaveFocus();
  }
  expect(items.at(-1)).toHaveAttribute('aria-disabled', 'true');
  await user.keyboard('{Enter}');
  expect(screen.getAllByRole('menuitem')).toHaveLength(5);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  await waitFor(() => expect(button).toHaveFocus());
  expect(screen.getByText('Logo.png')).toBeInTheDocument();
});
