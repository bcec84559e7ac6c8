import { MantineProvider } from '@mantine/core';
import { ALERT_MS } from '@steward/contract/api/limits';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { clearAlerts } from './alert-list.ts';
import { Alerts, showSuccess } from './alerts.tsx';

beforeEach(() => {
  clearAlerts();
  vi.useFakeTimers();
  render(<Alerts />, { wrapper: MantineProvider });
  act(() => showSuccess('Saved Successfully'));
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
const getMessage = () => screen.getByText('Saved Successfully');

test('a message disappears by itself', () => {
  pass(ALERT_MS - 1);
  expect(getMessage()).toBeInTheDocument();
  pass(1);
  expect(screen.queryByText('Saved Successfully')).toBeNull();
});

test.each([
  ['the pointer is on it', 'mouseEnter', 'mouseLeave'],
  ['it has the focus', 'focus', 'blur'],
] as const)('a message stays while %s, and the whole time afterwards', (_, begin, end) => {
  fireEvent[begin](getMessage());
  pass(10 * ALERT_MS);
  fireEvent[end](getMessage());
  pass(ALERT_MS - 1);
  expect(getMessage()).toBeInTheDocument();
  pass(1);
  expect(screen.queryByText('Saved Successfully')).toBeNull();
});
