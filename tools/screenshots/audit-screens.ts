import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const LIST = '**/api/v4/admin/teams/*/audit_log*';
const NOW = Date.UTC(2026, 2, 2, 9, 38);
const HOUR = 3_600_000;
const id = (text: string) => text.padEnd(26, '0');

const OWNER = { id: id('owner'), name: 'Demo Owner', email: 'owner@steward.example' };
const ADMIN = { id: id('admin'), name: 'Maja Lindqvist', email: 'maja.lindqvist@northwind.example.com' };
const LINE = {
  by: 'person',
  actor: OWNER,
  target: id('target'),
  left_out: 0,
  names: {},
  details: {},
  address: '203.0.113.24',
  request_id: '06h000yq37i2p5v0s6ct9kbd4u',
};
const KEEP = { ruling: { value: 0 }, waiting: null };
const RULE = { value: 1, duration: { count: 18, period: 'm' } };
const ENTRY = { id: id('e1'), phone_number: '0301234567', sms: '', email: 'reception@northwind.example.com' };

const LINES = [
  {
    ...LINE,
    action: 'retention.saved',
    target_name: 'Northwind Studio',
    details: {
      public_channels: { before: KEEP, after: { ...KEEP, waiting: { rule: RULE, effectiveAt: NOW + 24 * HOUR } } },
      direct_messages: { before: { ...KEEP, ruling: RULE }, after: KEEP },
    },
  },
  {
    ...LINE,
    actor: ADMIN,
    action: 'directory.edited',
    target_name: 'Front desk, Berlin',
    details: {
      before: [{ ...ENTRY, name: 'Reception' }],
      after: [{ ...ENTRY, name: 'Front desk, Berlin', phone_number: '0301234599' }],
    },
  },
  {
    ...LINE,
    actor: ADMIN,
    action: 'users.sessions_revoked',
    target_name: 'Jonas Weber',
    details: { sessions: 3, links: 1 },
  },
  {
    ...LINE,
    actor: ADMIN,
    action: 'users.edited',
    target_name: 'Jonas Weber',
    details: {
      before: { first_name: 'Jonas', last_name: 'Weber', roles: ['team_user'] },
      after: { first_name: 'Jonas', last_name: 'Weber', roles: ['team_user', 'team_admin'] },
    },
  },
  {
    ...LINE,
    by: 'service',
    actor: null,
    action: 'content.added',
    target: '',
    target_name: '',
    details: { token_id: id('token'), accepted: 1_280, unchanged: 12, failed: 0 },
    names: { [id('token')]: 'Chat service' },
    address: '203.0.113.80',
  },
  { ...LINE, action: 'tokens.added', target_name: 'Chat service', details: { name: 'Chat service' } },
  {
    ...LINE,
    by: 'itself',
    actor: null,
    action: 'retention.ran',
    target_name: '',
    details: {
      kind: 'call_recordings',
      cutoff: NOW - 9_000 * HOUR,
      scanned: 4_120,
      deleted: 318,
      failed: 0,
      state: 'finished',
    },
    address: '',
    request_id: 'job',
  },
  {
    ...LINE,
    action: 'integrations.connected',
    target_name: 'Zendesk',
    details: { domain: 'northwind', authentication: 2 },
  },
  {
    ...LINE,
    by: 'operator',
    actor: null,
    action: 'teams.created',
    target: OWNER.id,
    target_name: 'Demo Owner',
    address: '',
  },
];
const RECORDS = Array.from({ length: 90 }, (_, at) => ({
  ...LINES[at % LINES.length],
  id: id(`line${at}`),
  at: NOW - at * 1.7 * HOUR - (at % 7) * 60_000,
}));

async function audit(page: Page, records: readonly object[] = RECORDS, query = ''): Promise<void> {
  await page.route(LIST, (route) => route.fulfill({ json: { records, last_key: null, reset: true } }));
  await page.goto(`/dashboard/audit_log${query}`);
  await page.getByRole('heading', { level: 1, name: 'Audit Log' }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function details(page: Page, name: string): Promise<void> {
  await audit(page);
  await page
    .getByRole('button', { name: `Details of ${name}` })
    .first()
    .click();
  await page.getByRole('dialog').getByText('Request', { exact: true }).waitFor();
}

/** The audit log in its states. */
export const AUDIT_SCREENS: readonly Screen[] = [
  { name: 'audit', show: (page) => audit(page) },
  {
    name: 'audit-filtered',
    show: (page) => audit(page, RECORDS.slice(0, 1), `?action=retention&from=2026-02-01&target=${id('target')}`),
  },
  {
    name: 'audit-who',
    show: async (page) => {
      await audit(page);
      await page.getByRole('button', { name: 'Who: Anyone' }).click();
      await page.getByRole('listbox', { name: 'People' }).getByRole('option').nth(3).waitFor();
    },
  },
  { name: 'audit-details', show: (page) => details(page, 'Edited the directory') },
  { name: 'audit-details-rules', show: (page) => details(page, 'Changed retention rules') },
  { name: 'audit-empty', show: (page) => audit(page, []) },
  { name: 'audit-nothing', show: (page) => audit(page, [], '?action=signup') },
  {
    name: 'audit-skeleton',
    show: async (page) => {
      await page.route(LIST, () => new Promise(() => undefined));
      await page.goto('/dashboard/audit_log');
      await page.locator('[role="table"][aria-busy="true"]').waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'audit-error',
    show: async (page) => {
      await page.route(LIST, (route) => route.abort());
      await page.goto('/dashboard/audit_log');
      await page.getByRole('heading', { name: 'An Error Occurred!' }).waitFor();
    },
  },
];
