import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const CALLS = '**/api/v4/admin/teams/*';

const getId = (at: number) => String(at).padStart(26, '0');
const chosen = (at: number, channel_name: string, more: object = {}) => {
  const usual = { channel_id: getId(at), type: 'O', state: 'active', general: false };
  return { ...usual, channel_name, ...more };
};
const GENERAL = chosen(0, 'General', { general: true });
const STORED = [GENERAL, chosen(1, 'Announcements'), chosen(5, 'Leadership', { type: 'P' })];
const TROUBLED = [
  ...STORED,
  chosen(90, 'Office move 2024', { state: 'archived' }),
  chosen(91, 'Summer party', { state: 'missing', type: null }),
];

const NAMES = [
  'General',
  'Announcements',
  'Brand and design',
  'Customer success',
  'Engineering',
  'Leadership',
  'Office Berlin',
  'Office Lisbon',
  'People and culture',
  'Product',
  'Sales',
  'Water cooler',
];
const PRIVATE = ['Leadership', 'People and culture'];
const OPTIONS = Array.from({ length: 100 }, (_, at) => {
  const display_name = NAMES[at] ?? `Project ${String(at - NAMES.length + 1).padStart(3, '0')}`;
  return {
    id: getId(at),
    display_name,
    name: display_name.toLowerCase(),
    type: PRIVATE.includes(display_name) ? 'P' : 'O',
  };
});

const RUNNING = { people_done: 1_200, people_total: 2_000, joined: 1_943, started_at: NOW - 4_000 };
const PREVIEW = {
  people: 1_874,
  of_people: 2_000,
  channels: [
    { channel_id: getId(1), type: 'O', joining: 412 },
    { channel_id: getId(4), type: 'O', joining: 1_874 },
    { channel_id: getId(5), type: 'P', joining: 0 },
  ],
};

interface Given {
  stored?: readonly object[];
  join?: object | null;
}

async function channels(page: Page, { stored = STORED, join = null }: Given = {}): Promise<void> {
  await page.route('**/api/v4/teams/*/channels?*', (route) => {
    const search = new URL(route.request().url()).searchParams.get('search') ?? '';
    return route.fulfill({ json: OPTIONS.filter(({ name }) => name.includes(search)) });
  });
  await page.route(`${CALLS}/channel_default`, (route) => route.fulfill({ json: { default_channels: stored } }));
  await page.route(`${CALLS}/channel_default/join`, (route) => route.fulfill({ json: { join } }));
  await page.route(`${CALLS}/channel_default/preview`, (route) => route.fulfill({ json: PREVIEW }));
  await page.goto('/dashboard/team_settings/default_channels');
  await page.getByText('Also add the 2,000 people').waitFor();
}

async function openList(page: Page): Promise<void> {
  await channels(page);
  await page.getByRole('combobox').click();
  await page.getByRole('option', { name: 'Engineering' }).click();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
}

const FAILED = [
  {
    user_id: getId(1),
    email: 'maria.lindqist@exmaple.com',
    failed_at: NOW - 3_600_000,
    error: '550 5.1.2 unknown host',
  },
  {
    user_id: getId(2),
    email: 'jon@northwind.example',
    failed_at: NOW - 90_000_000,
    error: '552 5.2.2 mailbox is full',
  },
];
const SENT = { sent_at: NOW - 90_000_000, expires_at: NOW + 82_800_000, mail: 'sent', error: '' };
const REFUSED = { ...SENT, mail: 'failed', error: '552 5.2.2 mailbox is full' };

async function undelivered(page: Page): Promise<void> {
  await page.route(`${CALLS}/failed_invitations`, (route) =>
    route.fulfill({ json: { records: FAILED, last_key: null } }),
  );
  await page.goto('/users/users');
  await page.getByText('2 invitations could not be delivered').waitFor();
  await page.waitForLoadState('networkidle');
}

async function toInviteeParams(page: Page, action: string, invitation: object = SENT): Promise<void> {
  await page.route(`${CALLS}/users/*/invitation`, (route) => route.fulfill({ json: invitation }));
  await page.goto('/users/users');
  const row = page.locator('[data-row]').filter({ hasText: 'Pending Invitee' }).first();
  for (let top = 0; top < 12_000 && (await row.count()) === 0; top += 400) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(30);
  }
  await row.getByRole('button', { name: /^Actions for/ }).click();
  if (action === '') return page.getByRole('menuitem', { name: 'Cancel invitation' }).waitFor();
  await page.getByRole('menuitem', { name: action }).click();
  await page
    .getByRole('dialog')
    .getByText(/works until|could not be delivered|leaves the list/)
    .waitFor();
}

/** Default channels and invitations in their states. */
export const CHANNEL_SCREENS: readonly Screen[] = [
  { name: 'channels', show: (page) => channels(page) },
  { name: 'channels-list', show: openList },
  {
    name: 'channels-search',
    show: async (page) => {
      await channels(page);
      await page.getByRole('combobox').fill('off');
      await page.getByRole('option', { name: 'Office Lisbon' }).waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[role="option"]').length === 2);
    },
  },
  { name: 'channels-troubled', show: (page) => channels(page, { stored: TROUBLED }) },
  {
    name: 'channels-unsaved',
    show: async (page) => {
      await openList(page);
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox').check();
    },
  },
  {
    name: 'channels-add',
    show: async (page) => {
      await openList(page);
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Add 1,874 of the 2,000').waitFor();
    },
  },
  {
    name: 'channels-adding',
    show: (page) => channels(page, { join: { id: getId(1), state: 'running', ...RUNNING, ended_at: null } }),
  },
  {
    name: 'channels-added',
    show: (page) => channels(page, { join: { id: getId(1), state: 'done', ...RUNNING, joined: 2_286, ended_at: NOW } }),
  },
  {
    name: 'channels-locked',
    show: async (page) => {
      await channels(page);
      await page.getByRole('button', { name: /^General cannot/ }).focus();
      await page.getByRole('tooltip').waitFor();
    },
  },
  {
    name: 'channels-skeleton',
    show: async (page) => {
      await page.route(`${CALLS}/channel_default`, () => new Promise(() => undefined));
      await page.goto('/dashboard/team_settings/default_channels');
      await page.locator('[aria-busy="true"]').waitFor();
      await page.waitForTimeout(300);
    },
  },
  { name: 'users-undelivered', show: undelivered },
  {
    name: 'users-undelivered-list',
    show: async (page) => {
      await undelivered(page);
      await page.getByRole('button', { name: 'Show undelivered invitations' }).click();
      await page.getByRole('dialog').getByText('mailbox is full').waitFor();
    },
  },
  { name: 'users-pending-menu', show: (page) => toInviteeParams(page, '') },
  { name: 'users-resend', show: (page) => toInviteeParams(page, 'Resend invitation') },
  { name: 'users-resend-failed', show: (page) => toInviteeParams(page, 'Resend invitation', REFUSED) },
  { name: 'users-cancel-invitation', show: (page) => toInviteeParams(page, 'Cancel invitation') },
];
