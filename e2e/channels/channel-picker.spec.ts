import { channel } from '@steward/server/testing/workspace/content.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { holdCalls } from '../users/users-screen.ts';
import {
  channelField,
  chip,
  chips,
  generateChannels,
  openDefaultChannels,
  option,
  optionCalls,
  storedNames,
} from './channels-screen.ts';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('channels are selected with the keyboard alone, and Backspace never removes general', async ({
  page,
  node,
  team,
}) => {
  await generateChannels({ node, team }, ['design', 'ops', 'sales']);
  await openDefaultChannels(page);
  const field = channelField(page);
  await field.focus();
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await page.keyboard.press('ArrowDown');
  await expect(field).toHaveAttribute('aria-expanded', 'true');
  await expect(option(page, 'sales')).toBeVisible();
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  const reached = await field.getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${reached}"]`)).toHaveText('ops');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(chips(page)).toHaveText([/General/, 'ops', 'sales']);
  await page.keyboard.press('Escape');
  await expect(field).toHaveAttribute('aria-expanded', 'false');
  await expect(field).toBeFocused();
  for (let press = 0; press < 4; press += 1) await page.keyboard.press('Backspace');
  await expect(chips(page)).toHaveText([/General/]);
  await field.pressSequentially('des');
  await expect(page.getByRole('option')).toHaveText(['design']);
  await expect(field).toHaveAttribute('aria-activedescendant', /./);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Saved Successfully')).toBeVisible();
  expect(await storedNames({ node, team })).toEqual(['design']);
});

test('a key held down to clear the text does not remove chips', async ({ page, node, team }) => {
  await generateChannels({ node, team }, ['design']);
  await openDefaultChannels(page);
  await channelField(page).click();
  await option(page, 'design').click();
  await channelField(page).fill('x');
  await page.keyboard.down('Backspace');
  for (let repeat = 0; repeat < 5; repeat += 1) await page.keyboard.down('Backspace');
  await page.keyboard.up('Backspace');
  await expect(channelField(page)).toHaveValue('');
  await expect(chips(page)).toHaveCount(2);
});

test('Enter selects nothing while a search is loading, and never saves', async ({ page, node, team }) => {
  await generateChannels({ node, team }, ['design', 'ops']);
  const saves: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && saves.push(new URL(request.url()).pathname));
  await openDefaultChannels(page);
  await channelField(page).click();
  await expect(option(page, 'ops')).toBeVisible();
  // The arrow keys have moved to design when another search starts.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  const release = await holdCalls(page, '**/channels?*search=*');
  await page.keyboard.type('ops');
  await page.keyboard.press('Enter');
  await expect(chips(page)).toHaveCount(1);
  release();
  await expect(page.getByRole('option')).toHaveText(['ops']);
  await page.keyboard.press('Enter');
  await expect(chips(page)).toHaveText([/General/, 'ops']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(chips(page)).toHaveCount(1);
  expect(saves.filter((path) => path.endsWith('/channel_default'))).toEqual([]);
});

test.describe('with more channels than a page holds', () => {
  const names = Array.from({ length: 129 }, (_, at) => `team-${String(at + 1).padStart(3, '0')}`);

  test('the next page loads near the end of a full one, and none after the last', async ({ page, node, team }) => {
    await generateChannels({ node, team }, names);
    const calls = optionCalls(page);
    await openDefaultChannels(page);
    expect(calls).toHaveLength(0);
    await channelField(page).click();
    const options = page.getByRole('option');
    await expect(options).toHaveCount(100);
    await page.getByRole('listbox').evaluate((box) => box.scrollTo(0, 2_000));
    expect(calls.map(({ search }) => search)).toEqual(['?page=0&per_page=100']);
    await page.getByRole('listbox').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(options).toHaveCount(130);
    await page.getByRole('listbox').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await option(page, 'team-129').click();
    await expect(chip(page, 'team-129')).toBeVisible();
    expect(calls.map(({ search }) => search)).toEqual(['?page=0&per_page=100', '?page=1&per_page=100']);
  });

  test('typing searches on the server after a pause, and marks selected channels', async ({ page, node, team }) => {
    await generateChannels({ node, team }, [...names, 'design']);
    const calls = optionCalls(page);
    await openDefaultChannels(page);
    await channelField(page).click();
    await expect(page.getByRole('option')).toHaveCount(100);
    await page.keyboard.type('TEAM-12');
    // Both words are found wherever they are: 012, 112 and 120 to 129.
    await expect(page.getByRole('option')).toHaveCount(12);
    expect(calls.slice(1).map((url) => url.searchParams.get('search'))).toEqual(['TEAM-12']);
    await option(page, 'team-125').click();
    await expect(option(page, 'team-125')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.type('nothing like it');
    await expect(page.getByText('No channels match “nothing like it”.')).toBeVisible();
    await channelField(page).fill('team-125');
    await expect(option(page, 'team-125')).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('option')).toHaveCount(1);
  });

  test('pages that can’t be loaded say so, and load with Retry or the arrow key', async ({
    page,
    node,
    team,
    trouble,
  }) => {
    trouble.expect(/status of 500/);
    const refusal = { status_code: 500, message: 'Too much.', id: 'server.error', request_id: 'x' };
    await generateChannels({ node, team }, names);
    await openDefaultChannels(page);
    await page.route('**/channels?page=*', (route) => route.fulfill({ status: 500, json: refusal }));
    await channelField(page).click();
    await expect(page.getByText('Couldn’t load channels: Too much.')).toBeVisible();
    await page.unroute('**/channels?page=*');
    await page.route('**/channels?page=1*', (route) => route.fulfill({ status: 500, json: refusal }));
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('option')).toHaveCount(100);
    await page.getByRole('listbox').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(page.getByText('Couldn’t load more channels: Too much.')).toBeVisible();
    await page.unroute('**/channels?page=1*');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option')).toHaveCount(130);
  });
});

test('names are shown as text, whatever they contain', async ({ page, node, team }) => {
  const name = '<img src=x onerror=alert(1)> ‮ "q"';
  await channel(node, team.id, { name });
  await openDefaultChannels(page);
  await channelField(page).click();
  await page.getByRole('option').nth(1).click();
  await expect(chips(page).nth(1)).toHaveText(name);
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
});
