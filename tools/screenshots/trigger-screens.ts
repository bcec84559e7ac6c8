import type { Page } from '@playwright/test';
import type { Screen } from './screen.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const MINUTE = 60_000;
const ID = '0'.repeat(25);
const CALLS = '**/api/v4/admin/teams/*/integrations';

const TEMPLATE = `{
  "text": "#{{ticket.id}} {{ticket.title}}\\n{{ticket.status}}, from {{ticket.requester.name}}\\n{{ticket.link}}"
}`;
const TEXT =
  '#35 The printer on floor two is out of paper\nOpen, from Rita Requester\nhttps://acme.zendesk.com/agent/tickets/35';

const channel = (at: number, channel_name: string, state = 'active') => ({
  channel_id: `${ID}${at}`,
  channel_name,
  state,
});
const SUPPORT = channel(1, 'Customer success');
const OLD = channel(2, 'Office move 2024', 'archived');

const TILE = {
  id: `${ID}9`,
  code: 'zendesk',
  name: 'Zendesk',
  enabled: true,
  health: 'ok',
  warnings: [] as string[],
  last_delivery_at: NOW - 4 * MINUTE,
  last_error: '',
  last_error_at: null,
};
const TROUBLED = {
  ...TILE,
  health: 'warning',
  last_error: 'Office move 2024: The channel is archived.',
  last_error_at: NOW - 31 * MINUTE,
};
const DETAIL = {
  integration: TILE.id,
  domain: 'acme',
  username: 'ada@acme.example',
  authentication: 3,
  ticket_created: true,
  ticket_updated: false,
  warnings: [] as string[],
};

const delivery = (at: number, state: string, more: object = {}) => ({
  id: `${ID}${at}`,
  received_at: NOW - (at * 9 - 5) * MINUTE,
  invocation_id: `01JNB3K4Z6Q8W0Y2R5T7V9X1B${at}`,
  state,
  text: TEXT.replace('35', String(40 - at)),
  note: '',
  channels: [posted(SUPPORT)],
  ...more,
});
type Chosen = ReturnType<typeof channel>;
const posted = ({ channel_id, channel_name }: Chosen) => {
  return { channel_id, channel_name, state: 'posted', post_id: channel_id, attempts: 1, error: '' };
};
const failed = (one: Chosen) => ({ ...posted(one), state: 'failed', post_id: '', error: 'The channel is archived.' });
const LOG = [
  delivery(1, 'posted'),
  delivery(2, 'posted', { text: '#38 Cannot sign in since this morning\nNew, from Jonas Weber' }),
  delivery(3, 'ignored', { text: '', note: 'There was no text to post.', channels: [] }),
  delivery(4, 'partly', { channels: [posted(SUPPORT), failed(OLD)] }),
  delivery(5, 'failed', {
    channels: [failed(OLD)],
    note: 'The JSON held line breaks within quotes; they were repaired.',
  }),
];
const REQUEST = {
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Zendesk Webhook',
    'x-zendesk-account-id': '10000001',
    'x-zendesk-webhook-invocation-id': '01JNB3K4Z6Q8W0Y2R5T7V9X1B4',
  },
  body: JSON.stringify({ text: TEXT }, null, 2),
};

const WRONG = TEMPLATE.replace('ticket.title', 'ticket.titel').replace('{{ticket.link}}"', '{{ticket.link | upcas}}"');
const unknown = { severity: 'warning', line: 2 };
const PROBLEMS = [
  {
    ...unknown,
    text: 'Zendesk has no placeholder ticket.titel; it prints nothing.',
    column: 29,
    suggestion: 'ticket.title',
  },
  { ...unknown, text: 'Zendesk does not know the filter upcas.', column: 111, suggestion: 'upcase' },
];
const ERROR = {
  severity: 'error',
  text: 'This is not JSON: there is a comma too many before it.',
  line: 3,
  column: 1,
  suggestion: null,
};

interface Given {
  tile?: object;
  detail?: object;
  template?: string;
  channels?: readonly Chosen[];
  problems?: readonly object[];
  log?: readonly object[];
}

async function triggers(page: Page, given: Given = {}): Promise<void> {
  const { tile = TILE, template = TEMPLATE, channels = [SUPPORT], problems = [], log = [] } = given;
  const isBroken = problems.some((problem) => 'severity' in problem && problem.severity === 'error');
  const rendered = { json: isBroken ? '' : JSON.stringify({ text: TEXT }, null, 2), text: isBroken ? '' : TEXT };
  const message = Buffer.from(template).toString('base64');
  const detail = { ...tile, ...DETAIL, message, channel_details: channels, ...given.detail };
  const result = {
    text: `Test: ${TEXT}`,
    channels: [{ ...SUPPORT, posted: true, error: '' }],
    connection_error: '',
  };
  await page.route(CALLS, (route) => route.fulfill({ json: { records: [tile] } }));
  await page.route(`${CALLS}/*`, (route) => route.fulfill({ json: detail }));
  await page.route(`${CALLS}/*/preview`, (route) => route.fulfill({ json: { ...rendered, problems } }));
  await page.route(`${CALLS}/*/test`, (route) => route.fulfill({ json: result }));
  await page.route(`${CALLS}/*/deliveries?*`, (route) => route.fulfill({ json: { records: log, last_key: null } }));
  await page.route(`${CALLS}/*/deliveries/*`, (route) => route.fulfill({ json: { ...LOG[3], ...REQUEST } }));
  await page.goto('/dashboard/triggers');
  await page.getByRole('heading', { name: 'Deliveries', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
}

/** Brings a part of the page into the picture. */
async function reach(page: Page, text: string): Promise<void> {
  await page
    .getByText(text, { exact: true })
    .first()
    .evaluate((found) => found.scrollIntoView());
}

/** The triggers and the log of deliveries in their states. */
export const TRIGGER_SCREENS: readonly Screen[] = [
  { name: 'triggers-new', show: (page) => triggers(page, { channels: [], tile: { ...TILE, last_delivery_at: null } }) },
  { name: 'triggers', show: (page) => triggers(page, { log: LOG }) },
  {
    name: 'triggers-troubled',
    show: (page) =>
      triggers(page, {
        tile: TROUBLED,
        channels: [SUPPORT, OLD],
        detail: { warnings: ['The trigger for updated tickets is turned off in Zendesk.'] },
      }),
  },
  {
    name: 'triggers-warnings',
    show: async (page) => {
      await triggers(page, { template: WRONG, problems: PROBLEMS });
      await reach(page, 'JSON body');
    },
  },
  {
    name: 'triggers-error',
    show: async (page) => {
      await triggers(page, { template: TEMPLATE.replace('\n}', ',\n}'), problems: [ERROR] });
      await reach(page, 'JSON body');
    },
  },
  {
    name: 'triggers-placeholders',
    show: async (page) => {
      await triggers(page);
      await page.getByRole('button', { name: 'Placeholders' }).click();
      await page.getByRole('combobox', { name: 'Search placeholders' }).fill('requester');
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'triggers-test',
    show: async (page) => {
      await triggers(page);
      await page.getByRole('button', { name: 'Send test' }).click();
      await page.getByText('Zendesk reaches this server.').waitFor();
      await reach(page, 'Preview');
    },
  },
  {
    name: 'triggers-disable',
    show: async (page) => {
      await triggers(page);
      await page.getByRole('button', { name: 'DISABLE' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
    },
  },
  {
    name: 'triggers-off',
    show: (page) => triggers(page, { tile: { ...TILE, enabled: false, health: 'off' }, detail: { enabled: false } }),
  },
  {
    name: 'deliveries',
    show: async (page) => {
      await triggers(page, { tile: TROUBLED, log: LOG });
      await reach(page, 'Deliveries');
    },
  },
  {
    name: 'deliveries-one',
    show: async (page) => {
      await triggers(page, { tile: TROUBLED, log: LOG });
      await page
        .getByRole('button', { name: /^Details/ })
        .nth(3)
        .click();
      await page.getByRole('dialog').getByText('Request body').waitFor();
    },
  },
  {
    name: 'deliveries-all',
    show: async (page) => {
      await triggers(page, { tile: TROUBLED, log: LOG });
      await page.getByRole('button', { name: 'Redeliver all failed' }).click();
      await page.getByRole('dialog').getByText('again where they failed?').waitFor();
    },
  },
];
