import type { Page } from '@playwright/test';
import { channel } from '@steward/server/testing/workspace/content.ts';
import { expect, type Given } from '../browser/fixtures.ts';

export async function openDefaultChannels(page: Page): Promise<void> {
  await page.goto('/dashboard/team_settings/default_channels');
  await expect(chip(page, 'General')).toBeVisible();
}

export const channelField = (page: Page) => page.getByRole('combobox', { name: 'Channels' });

export const chips = (page: Page) => page.getByRole('list', { name: 'Channels, chosen' }).getByRole('listitem');

export const chip = (page: Page, name: string) => chips(page).filter({ hasText: name });

export const option = (page: Page, name: string) =>
  page.getByRole('listbox', { name: 'Channels' }).getByRole('option', { name });

export async function generateChannels({ node, team }: Given, names: readonly string[]): Promise<void> {
  for (const name of names) await channel(node, team.id, { name });
}
