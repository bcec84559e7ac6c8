import assert from 'node:assert/strict';
import { test } from 'vitest';
import { actionChoices, type Places, screenChoices } from './choices.ts';

const SCREEN_GROUPS: Places[] = [
  {
    label: 'Team Settings',
    items: [
      { to: '/a/retention', label: 'Retention', icon: 'archive', children: [{ to: '/a/file', label: 'Files' }] },
      { to: '/a/sms', label: 'Manage Sms', icon: 'phone', isAhead: true },
    ],
  },
  { label: 'Workspace', items: [{ to: '/b/billing/settings', label: 'Billing', icon: 'card' }] },
];

test('every screen is listed with its location, and subscreens with their parent', () => {
  const tabs = [
    { to: '/b/billing/settings', label: 'Settings' },
    { to: '/b/billing/history', label: 'History' },
  ];
  assert.deepEqual(
    screenChoices(SCREEN_GROUPS, tabs).map(({ label, detail, action }) => [label, detail, 'to' in action && action.to]),
    [
      ['Home', '', '/'],
      ['Retention', 'Team Settings', '/a/retention'],
      ['Retention: Files', 'Team Settings', '/a/file'],
      ['Billing', 'Workspace', '/b/billing/settings'],
      ['Billing: History', 'Workspace', '/b/billing/history'],
    ],
  );
});

test('ids are unique, so that a recent choice is found again', () => {
  const ids = [...screenChoices(SCREEN_GROUPS, []), ...actionChoices({ hasTeams: true })].map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
});

test('switching teams is offered only with another team to switch to', () => {
  const labels = (hasTeams: boolean) => actionChoices({ hasTeams }).map(({ label }) => label);
  assert.ok(labels(true).includes('Switch team'));
  assert.ok(!labels(false).includes('Switch team'));
});
