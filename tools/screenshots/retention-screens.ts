import type { Locator, Page } from '@playwright/test';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import type { Screen } from './screen.ts';

const NOW = Date.UTC(2026, 2, 2, 9, 41);
const DAY_MS = 86_400_000;
const TONIGHT = Date.UTC(2026, 2, 3, 1);
const CALLS = '**/api/v4/admin/teams/*';
const SETTINGS = '/dashboard/team_settings';

const after = (count: number, period: string) => ({ value: 1, duration: { count, period } });
const WAITING = { ...after(2, 'y'), effective_at: NOW + 6 * 3_600_000, in_force: { value: 0 } };
/** What differs from keeping everything. */
const RULES: Partial<Record<RetentionKind, object>> = {
  files: { value: 0, canmark: 1, duration: { count: 30, period: 'd' } },
  public_channels: after(1, 'y'),
  archived_notes: WAITING,
  call_recordings: after(90, 'd'),
  voicemails: after(6, 'm'),
};
const REACHES: Partial<Record<RetentionKind, number>> = {
  files: 30,
  public_channels: 365,
  call_recordings: 90,
  voicemails: 181,
};
const getRule = (kind: RetentionKind) => RULES[kind] ?? { value: 0, canmark: 0 };
const computeCutoff = (kind: RetentionKind) => {
  const days = REACHES[kind];
  return days === undefined ? null : Date.UTC(2026, 2, 1, 23) - days * DAY_MS;
};

const BY_NIGHT = { started_by: '', started_by_name: 'Nightly run', failed: 0, note: '', state: 'finished' };
const SPECIAL: Record<number, object> = {
  1: { state: 'failed', failed: 12, note: 'The store of files did not answer. The next run tries again.' },
  4: { started_by: 'o', started_by_name: 'Demo Owner', state: 'stopped', note: 'The rule was changed to keep more.' },
  6: { state: 'refused', deleted: 0, bytes: 0, note: 'The clocks of server and database differ by 7 minutes.' },
};
/** Runs of the last nights over the kinds that have a rule. */
const RUNS = Array.from({ length: 12 }, (_, at) => {
  const kind = (Object.keys(REACHES) as RetentionKind[])[at % 4] ?? 'files';
  const began = TONIGHT - (1 + Math.floor(at / 4)) * DAY_MS + at * 900;
  const deleted = (at * 7_919) % 4_000;
  const counts = { cutoff: computeCutoff(kind), scanned: deleted, deleted, bytes: deleted * 48_211 };
  return {
    ...BY_NIGHT,
    id: `run${at}`,
    kind,
    started_at: began,
    ended_at: began + at * 9_400,
    ...counts,
    ...SPECIAL[at],
  };
});

/** What the pictures show is made up here, so that a second run makes the same ones. */
async function furnish(page: Page, { running = false, runs = RUNS as object[] } = {}): Promise<void> {
  const answer = (address: string, json: unknown) =>
    page.route(`${CALLS}/${address}`, (route) =>
      route.request().method() === 'GET' ? route.fulfill({ json }) : route.continue(),
    );
  await answer('retention', { time_zone: 'Europe/Berlin', next_run_at: TONIGHT, kinds: getKinds(running) });
  await answer('retention/stored*', { counted_at: NOW, records: RETENTION_KINDS.map(getStored) });
  await answer('retention/runs*', { records: runs, last_key: runs.length === 0 ? null : 'more', reset: true });
  await answer('file_retention', getRule('files'));
  const groups = {
    message_retention: ['public_channels', 'private_channels', 'direct_messages'],
    note_retention: ['archived_notes'],
    task_retention: ['completed_tasks'],
    meeting_retention: ['meeting_history', 'meeting_recordings'],
    voice_retention: ['call_history', 'call_recordings', 'voicemails', 'communication_history'],
  } as const;
  for (const [group, kinds] of Object.entries(groups)) {
    await answer(group, Object.fromEntries(kinds.map((kind) => [kind, getRule(kind)])));
  }
}

function getKinds(isRunning: boolean) {
  return RETENTION_KINDS.map((kind) => {
    const last = RUNS.find((run) => run.kind === kind) ?? null;
    const running = isRunning && last !== null ? { ...last, state: 'running', ended_at: 0, note: '' } : null;
    return { kind, rule: getRule(kind), cutoff: computeCutoff(kind), last_run: last, running };
  });
}

function getStored(kind: RetentionKind, at: number) {
  const count = (at + 1) * 41_233;
  const overdue = computeCutoff(kind) === null ? 0 : 17 * at + 128;
  const bytes = { bytes: count * 4_321, overdue_bytes: overdue * 4_321 };
  return { kind, count, overdue, ...bytes, oldest: NOW - 900 * DAY_MS };
}

async function overview(page: Page, furniture: Parameters<typeof furnish>[1] = {}): Promise<void> {
  await furnish(page, furniture);
  await page.goto(`${SETTINGS}/retention`);
  await page.getByRole('row').nth(12).waitFor();
  await page.waitForLoadState('networkidle');
}

async function form(page: Page, name: string): Promise<void> {
  await furnish(page);
  await page.goto(`${SETTINGS}/${name}`);
  await page.getByText('Stored now').first().waitFor();
}

const setting = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

async function limit(place: Locator, count: string): Promise<void> {
  await place.getByLabel(/but only for a set duration$/).check();
  await place.getByLabel('Count').fill(count);
}

/** What the picture of the question names. */
const PREVIEW = {
  ...{ count: 12_345, bytes: 3_412_000_000, oldest: NOW - 900 * DAY_MS, newest: NOW - 91 * DAY_MS },
  ...{ cutoff: NOW - 90 * DAY_MS, deletes_more: true, effective_at: NOW + DAY_MS, first_run_at: TONIGHT + DAY_MS },
};

async function ask(page: Page): Promise<void> {
  await form(page, 'message_retention');
  await page.route(`${CALLS}/retention/preview`, (route) =>
    route.fulfill({ json: { public_channels: PREVIEW, private_channels: PREVIEW, direct_messages: PREVIEW } }),
  );
  await limit(setting(page, 'Public channels'), '90');
  await limit(setting(page, 'Private channels'), '90');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('24 hours from now').waitFor();
}

/** Retention in its states. */
export const RETENTION_SCREENS: readonly Screen[] = [
  { name: 'retention', show: (page) => overview(page) },
  { name: 'retention-running', show: (page) => overview(page, { running: true }) },
  {
    name: 'retention-history',
    show: async (page) => {
      await overview(page);
      await page.getByRole('heading', { name: 'History of runs' }).evaluate((title) => title.scrollIntoView());
    },
  },
  {
    name: 'retention-history-empty',
    show: async (page) => {
      await overview(page, { runs: [] });
      await page.getByRole('heading', { name: 'No runs yet' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'retention-run-now',
    show: async (page) => {
      await overview(page);
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('cannot be brought back').waitFor();
    },
  },
  ...['file', 'message', 'notes', 'tasks', 'meeting', 'voice'].map((name) => ({
    name: `retention-${name}`,
    show: (page: Page) => form(page, `${name}_retention`),
  })),
  {
    name: 'retention-refused',
    show: async (page) => {
      await form(page, 'file_retention');
      await limit(setting(page, 'Files'), '12abc');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('is not a number').waitFor();
    },
  },
  { name: 'retention-question', show: ask },
  {
    name: 'retention-leave',
    show: async (page) => {
      await overview(page);
      await page.getByRole('row').getByRole('link', { name: 'Files' }).click();
      await limit(setting(page, 'Files'), '90');
      await page.evaluate(() => history.back());
      await page.getByText('Leave without saving?').waitFor();
    },
  },
  {
    name: 'retention-skeleton',
    show: async (page) => {
      await page.route(`${CALLS}/*retention`, () => new Promise(() => undefined));
      await page.goto(`${SETTINGS}/message_retention`);
      await page.getByRole('heading', { name: 'Message Retention' }).waitFor();
      await page.waitForTimeout(300);
    },
  },
  {
    name: 'retention-error',
    show: async (page) => {
      await page.route(`${CALLS}/message_retention`, (route) => route.abort());
      await page.goto(`${SETTINGS}/message_retention`);
      await page.getByRole('heading', { name: 'An Error Occurred!' }).waitFor();
    },
  },
];
