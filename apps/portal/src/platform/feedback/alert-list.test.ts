import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import { addAlert, clearAlerts, dismissAlert, shownAlerts } from './alert-list.ts';

beforeEach(clearAlerts);

const texts = () => shownAlerts.get().map(({ text }) => text);

test('a repeated message is shown once, as the newest', () => {
  for (const text of ['a', 'b', 'a']) addAlert({ kind: 'error', text });
  assert.deepEqual(texts(), ['b', 'a']);
});

test('no more than four messages are shown, and the oldest is removed', () => {
  for (const text of ['1', '2', '3', '4', '5']) addAlert({ kind: 'success', text });
  assert.deepEqual(texts(), ['2', '3', '4', '5']);
});

test('a dismissed message disappears, and the others stay', () => {
  addAlert({ kind: 'success', text: 'a' });
  addAlert({ kind: 'error', text: 'b' });
  dismissAlert(shownAlerts.get()[0]?.key ?? 0);
  assert.deepEqual(texts(), ['b']);
});
