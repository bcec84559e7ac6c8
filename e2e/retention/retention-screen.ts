import type { Locator, Page } from '@playwright/test';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { addChannels, addItem } from '@steward/server/testing/workspace/retention.ts';
import { expect, type Given } from '../browser/fixtures.ts';

const SETTINGS = '/dashboard/team_settings';

const DAY = 86_400_000;

const FORMS = ['file', 'message', 'notes', 'tasks', 'meeting', 'voice'].map((name) => `${name}_retention`);

export const RETENTION_PATHS = ['retention', ...FORMS].map((name) => `${SETTINGS}/${name}`);

export async function openForm(page: Page, name: string): Promise<void> {
  await page.goto(`${SETTINGS}/${name}`);
  await expect(page.getByRole('radio').first()).toBeVisible();
}

export const getSetting = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true });

export async function limit(setting: Locator, count: string, period = 'Days'): Promise<void> {
  await setting.getByLabel(/but only for a set duration$/).check();
  await setting.getByLabel('Count').fill(count);
  await setting.getByLabel('Period').selectOption(period);
}

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

export const saveQuestion = (page: Page) => page.getByRole('dialog', { name: 'Save the rule' });

export async function saveStricterRule(page: Page): Promise<void> {
  await saveButton(page).click();
  await saveQuestion(page).getByRole('button', { name: 'Save the rule' }).click();
  await expect(saveQuestion(page)).toBeHidden();
}

/** Adds one item of a kind per age in days. */
export async function seedAgedRecords({ node, team }: Given, kind: RetentionKind, ages: readonly number[]) {
  const channels = await addChannels(node, team.id);
  for (const age of ages) {
    await addItem(node, { teamId: team.id, kind, channels }, { clock: Date.now() - age * DAY, size: 500_000 });
  }
}

/** The runs are table rows, or list items on a phone. */
export function runRows(page: Page): Locator {
  const rows = page.getByRole('table', { name: 'Retention runs' }).locator('[role="row"]:has([role="cell"])');
  return rows.or(page.getByRole('list', { name: 'Retention runs' }).getByRole('listitem'));
}
