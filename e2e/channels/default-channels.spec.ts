import type { Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { findGeneralChannel } from '@steward/server/testing/workspace/content.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';
import { channelField, chip, chips, generateChannels, openDefaultChannels, option } from './channels-screen.ts';

/** Returns the names besides general, in order. */
async function storedNames({ node, team }: Given): Promise<string[]> {
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
function optionCalls(page: Page): URL[] {
  const calls: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/\/teams\/\w+\/channels$/.test(url.pathname)) calls.push(url);
  });
  return calls;
}

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('channels are selected with the keyboard alone and saved, and current members are added', async ({
  page,
  node,
  team,
}) => {
  await generateChannels({ node, team }, ['design', 'ops', 'sales']);
  await user(node, { team: team.id });
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
  await page.keyboard.press('ArrowDown');
  await expectAccessible(page, 'the open list');
  await field.pressSequentially('nothing like it');
  await expect(page.getByText('No channels match')).toBeVisible();
  await expectAccessible(page, 'nothing found');
  await field.clear();
  await page.keyboard.press('Escape');
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

  // Current members are added too, after a question with their number.
  await channelField(page).click();
  await option(page, 'ops').click();
  await page.keyboard.press('Escape');
  await page.getByRole('checkbox', { name: 'Also add the 2 current members' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('dialog', { name: 'Add members' });
  await expect(question).toContainText('Add 2 of 2 members to these channels?');
  await picture(page, 'channels-question');
  await expectAccessible(page, 'the question');
  const join = { id: newId(), state: 'running', people_done: 1, people_total: 2, joined: 1 };
  const running = { join: { ...join, started_at: Date.now(), ended_at: null } };
  await page.route('**/channel_default/join', (route) => route.fulfill({ json: running }));
  await question.getByRole('button', { name: 'Save and add members' }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expectAccessible(page, 'adding members');
  await page.unroute('**/channel_default/join');
  await expect(page.getByText(/Added 4 memberships, \w+ \d+, \d{4}/)).toBeVisible();
  await picture(page, 'channels-added');
  await page.reload();
  await expect(page.getByText(/Added 4 memberships, \w+ \d+, \d{4}/)).toBeVisible();
  expect(await storedNames({ node, team })).toEqual(['design', 'ops']);
});

test('the next page loads near the end of a full one, a search finds words, and names are text', async ({
  page,
  node,
  team,
}) => {
  const names = Array.from({ length: 128 }, (_, at) => `team-${String(at + 1).padStart(3, '0')}`);
  const evil = '<img src=x onerror=alert(1)> ‮ "q"';
  await generateChannels({ node, team }, [...names, evil]);
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
  await option(page, 'team-128').click();
  await expect(chip(page, 'team-128')).toBeVisible();
  expect(calls.map(({ search }) => search)).toEqual(['?page=0&per_page=100', '?page=1&per_page=100']);
  await page.keyboard.type('TEAM-12');
  // Both words are found wherever they are: 012, 112 and 120 to 128.
  await expect(options).toHaveCount(11);
  await channelField(page).fill('img');
  await expect(options).toHaveCount(1);
  await options.click();
  await expect(chips(page).nth(2)).toHaveText(evil);
  await expect(page.locator('main img[src="x"]')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test('channels are selected by touch, and nothing scrolls sideways', async ({ page, node, team }) => {
    const long = `a-channel-without-any-gap-${'x'.repeat(80)}`;
    await generateChannels({ node, team }, ['ops', long]);
    await openDefaultChannels(page);
    await channelField(page).tap();
    await option(page, 'ops').tap();
    await option(page, long).tap();
    await expect(chips(page)).toHaveCount(3);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Remove ops' }).tap();
    await expect(chips(page)).toHaveCount(2);
    await page.getByRole('button', { name: /^General can’t be removed/ }).tap();
    await expect(page.getByRole('tooltip')).toBeVisible();
  });
});
