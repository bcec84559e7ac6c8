import type { Locator, Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { channel, findGeneralChannel } from '@steward/server/testing/workspace/content.ts';
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

/** The channels are stored besides general, as if saved earlier. An id without a channel is one that was deleted. */
export async function storeDefaults({ node, team }: Given, channels: readonly { id?: string; name: string }[]) {
  const rows = channels.map(({ id, name }) => ({ team_id: team.id, channel_id: id ?? newId(), channel_name: name }));
  await node.db.insertInto('default_channels').values(rows).execute();
}

/** Returns the names besides general, in order. */
export async function storedNames({ node, team }: Given): Promise<string[]> {
  const { id } = await findGeneralChannel(node, team.id);
  const rows = await node.db
    .selectFrom('default_channels')
    .select('channel_name')
    .where('team_id', '=', team.id)
    .where('channel_id', '<>', id)
    .orderBy('channel_name')
    .execute();
  return rows.map(({ channel_name }) => channel_name);
}

/** Records the URLs of the calls for options from now on, in order. */
export function optionCalls(page: Page): URL[] {
  const calls: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/\/teams\/\w+\/channels$/.test(url.pathname)) calls.push(url);
  });
  return calls;
}
