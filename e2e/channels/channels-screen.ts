import type { Locator, Page } from '@playwright/test';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { expect, type Given } from '../browser/fixtures.ts';

const DEFAULT_CHANNELS = '/dashboard/team_settings/default_channels';

/** Opens the screen and waits for its form. */
export async function openDefaultChannels(page: Page): Promise<void> {
  await page.goto(DEFAULT_CHANNELS);
  await expect(chip(page, 'General')).toBeVisible();
}

export function channelField(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Channels' });
}

export function chips(page: Page): Locator {
  return page.getByRole('list', { name: 'Channels, chosen' }).getByRole('listitem');
}

export function chip(page: Page, name: string): Locator {
  return chips(page).filter({ hasText: name });
}

export function option(page: Page, name: string): Locator {
  return page.getByRole('listbox', { name: 'Channels' }).getByRole('option', { name });
}

export async function generateChannels({ node, team }: Given, names: readonly string[]): Promise<void> {
  for (const name of names) await channel(node, team.id, { name });
}
