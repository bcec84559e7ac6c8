import { channel } from '@steward/server/testing/workspace/content.ts';
import { user as person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import {
  channelField,
  chip,
  chips,
  DEFAULT_CHANNELS,
  generateChannels,
  openDefaultChannels,
  option,
  storeDefaults,
  storedNames,
} from './channels-screen.ts';

const saveButton = 'Save';
const SAVED = 'Saved Successfully';

test.beforeEach(async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
});

test('a new team has only general, which can’t be removed and says why', async ({ page }) => {
  await openDefaultChannels(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Default Channels');
  await expect(page.getByText('New members of Northwind join these channels automatically.')).toBeVisible();
  await expect(page.locator('[aria-current="page"]')).toHaveText(['Default Channels']);
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Remove General' })).toHaveCount(0);
  await page.getByRole('button', { name: /^General can’t be removed/ }).hover();
  await expect(page.getByRole('tooltip')).toHaveText(/Everyone is a member of General/);
  await expect(page.getByRole('button', { name: saveButton })).toBeDisabled();
  await channelField(page).click();
  await expect(option(page, 'General')).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('This team has no other channels yet.')).toBeVisible();
});

test('channels are added and removed with the mouse, and saved together', async ({ page, node, team }) => {
  await generateChannels({ node, team }, ['design', 'ops']);
  await channel(node, team.id, { name: 'board', type: 'P', members: [team.owner.id] });
  await channel(node, team.id, { name: 'secret', type: 'P' });
  await openDefaultChannels(page);
  await channelField(page).click();
  await expect(page.getByRole('option')).toHaveText([/General/, /board.*Private/, 'design', 'ops', /secret.*Private/]);
  for (const name of ['ops', 'board', 'design']) await option(page, name).click();
  await option(page, 'design').click();
  await expect(option(page, 'design')).toHaveAttribute('aria-selected', 'false');
  await expect(chips(page)).toHaveText([/General/, 'ops', /board.*Private/]);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.getByRole('button', { name: saveButton }).click();
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(page.getByRole('button', { name: saveButton })).toBeDisabled();
  expect(await storedNames({ node, team })).toEqual(['board', 'ops']);
  await page.reload();
  await expect(chips(page)).toHaveText([/General/, /board.*Private/, 'ops']);
  await page.getByRole('button', { name: 'Remove ops' }).click();
  await expect(channelField(page)).toBeFocused();
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.getByRole('button', { name: saveButton }).click();
  await expect(page.getByText(SAVED)).toBeVisible();
  expect(await storedNames({ node, team })).toEqual(['board']);
});

test('archived channels are marked and kept, missing ones are removed by the next save', async ({
  page,
  node,
  team,
}) => {
  const old = await channel(node, team.id, { name: 'old-project', deleteAt: 5 });
  await storeDefaults({ node, team }, [old, { name: 'ghost' }]);
  await openDefaultChannels(page);
  await expect(chip(page, 'old-project')).toContainText('Archived – new members won’t join');
  await expect(chip(page, 'ghost')).toContainText('No longer exists');
  await expect(page.getByText('1 channel no longer exists and will be removed when you save.')).toBeVisible();
  await expect(page.getByText('Unsaved changes')).toHaveCount(0);
  await page.getByRole('button', { name: saveButton }).click();
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(chips(page)).toHaveCount(2);
  await expect(page.getByRole('button', { name: saveButton })).toBeDisabled();
  expect(await storedNames({ node, team })).toEqual(['old-project']);
  await page.getByRole('button', { name: 'Remove old-project' }).click();
  await page.getByRole('button', { name: saveButton }).click();
  await expect.poll(() => storedNames({ node, team })).toEqual([]);
});

test('a refused save says why and keeps the selection', async ({ page, node, team, trouble }) => {
  trouble.expect(/status of 400/);
  const ops = await channel(node, team.id, { name: 'ops' });
  await openDefaultChannels(page);
  await channelField(page).click();
  await option(page, 'ops').click();
  await page.keyboard.press('Escape');
  await node.db.updateTable('channels').set({ delete_at: 5 }).where('id', '=', ops.id).execute();
  await page.getByRole('button', { name: saveButton }).click();
  await expect(page.getByRole('alert')).toContainText('An Error Occurred!');
  await expect(page.getByRole('alert')).toContainText("One of these channels can't be used in this team.");
  await expect(page.getByRole('form').getByText("One of these channels can't be used in this team.")).toBeVisible();
  await expect(chip(page, 'ops')).toBeVisible();
  await expect(page.getByRole('button', { name: saveButton })).toBeEnabled();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: saveButton })).toBeFocused();
});

test('leaving with unsaved changes asks first', async ({ page, node, team }) => {
  await generateChannels({ node, team }, ['ops']);
  await openDefaultChannels(page);
  await channelField(page).click();
  await option(page, 'ops').click();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Manage Users' }).click();
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await expect(question).toContainText('Leave without saving?');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(chip(page, 'ops')).toBeVisible();
  await page.getByRole('link', { name: 'Manage Users' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page).toHaveURL('/users/users');
});

test('a failure to load channels is shown, with Retry', async ({ page, trouble }) => {
  trouble.expect(/ERR_FAILED/);
  await page.route('**/channel_default', (route) => route.abort());
  await page.goto(DEFAULT_CHANNELS);
  await expect(page.getByRole('heading', { name: 'An Error Occurred!' })).toBeVisible();
  await page.unroute('**/channel_default');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(chip(page, 'General')).toBeVisible();
});

test.describe('adding current members', () => {
  test('is confirmed with numbers, and Cancel changes nothing', async ({ page, node, team }) => {
    await generateChannels({ node, team }, ['ops', 'sales']);
    await person(node, { team: team.id });
    await openDefaultChannels(page);
    const box = page.getByRole('checkbox', { name: 'Also add the 2 current members' });
    await channelField(page).click();
    await option(page, 'ops').click();
    await page.keyboard.press('Escape');
    await box.check();
    await page.getByRole('button', { name: saveButton }).click();
    const question = page.getByRole('dialog', { name: 'Add members' });
    await expect(question).toContainText('Add 2 of 2 members to these channels?');
    await expect(question.getByRole('row', { name: 'ops' })).toContainText('2 members');
    await picture(page, 'channels-question');
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(question).toBeHidden();
    await expect(page.getByRole('button', { name: saveButton })).toBeFocused();
    expect(await storedNames({ node, team })).toEqual([]);
    await expect(box).toBeChecked();
  });

  test('saves, shows progress and result, also after a reload', async ({ page, node, team }) => {
    await generateChannels({ node, team }, ['ops']);
    await storeDefaults({ node, team }, [{ name: 'ghost' }]);
    await person(node, { team: team.id });
    await openDefaultChannels(page);
    await channelField(page).click();
    await option(page, 'ops').click();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox').check();
    const running = { id: '0'.repeat(26), state: 'running', people_done: 1_200, people_total: 2_000, joined: 1_100 };
    const join = { ...running, started_at: Date.now(), ended_at: null };
    await page.route('**/channel_default/join', (route) => route.fulfill({ json: { join } }));
    await page.getByRole('button', { name: saveButton }).click();
    await page.getByRole('button', { name: 'Save and add members' }).click();
    await expect(page.getByText(SAVED)).toBeVisible();
    await expect(page.getByText('Adding members: 1,200 of 2,000')).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Adding members' })).toHaveAttribute('value', '1200');
    await expect(page.getByRole('checkbox')).not.toBeChecked();
    await expect(page.getByRole('checkbox')).toBeDisabled();
    await page.unroute('**/channel_default/join');
    await expect(page.getByText(/Added 2 memberships, \w+ \d+, \d{4}/)).toBeVisible();
    await expect(page.getByRole('progressbar')).toHaveCount(0);
    await expect(page.getByRole('checkbox')).toBeEnabled();
    await picture(page, 'channels-added');
    await page.reload();
    await expect(page.getByText(/Added 2 memberships, \w+ \d+, \d{4}/)).toBeVisible();
  });

  test('is possible without other changes, and says when no one would join', async ({ page }) => {
    await openDefaultChannels(page);
    await page.getByRole('checkbox', { name: 'Also add the 1 current member' }).check();
    await page.getByRole('button', { name: saveButton }).click();
    const question = page.getByRole('dialog', { name: 'Add members' });
    await expect(question).toContainText('No one will be added.');
    await expect(question.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  });

  test('is refused while an earlier save is still adding members', async ({ page, node, team, trouble }) => {
    trouble.expect(/status of 409/);
    await openDefaultChannels(page);
    await page.getByRole('checkbox').check();
    const started = { team_id: team.id, id: '0'.repeat(26), channel_ids: [], started_by: null };
    await node.db
      .insertInto('channel_joins')
      .values({ ...started, ended_at: null, people_total: 5, people_done: 0, joined: 0, reached: '' } as never)
      .execute();
    await page.getByRole('button', { name: saveButton }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('Members are still being added to channels');
    await expect(page.getByRole('checkbox')).toBeChecked();
  });
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
