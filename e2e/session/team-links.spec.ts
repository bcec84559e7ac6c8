import { saveNoteRetention } from '@steward/contract/retention';
import { call } from '@steward/server/testing/app/call.ts';
import { team as addTeam, join } from '@steward/server/testing/workspace/factories.ts';
import { setRule } from '@steward/server/testing/workspace/retention.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

const NOTES = '/dashboard/team_settings/notes_retention';
let southwind: string;

test.beforeEach(async ({ page, node, team }) => {
  southwind = await addTeam(node, 'Southwind');
  await join(node, southwind, team.owner.id, 'owner');
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('banner')).toContainText('Northwind');
});

test('the link of an email opens its team in one tab, until the reader goes back or switches', async ({
  page,
  node,
  team,
  context,
}) => {
  const body = { archived_notes: { value: 1 as const, duration: { count: 1, period: 'y' as const } } };
  await call(node, saveNoteRetention, { as: team.owner, params: { teamId: southwind }, body });
  const { text } = await node.inbox.next(team.owner.email);
  const link = new URL(/https?:\S+/.exec(text)?.[0] ?? '');
  expect(link.searchParams.get('team')).toBe(southwind);

  await page.goto(link.pathname + link.search);
  const header = page.getByRole('banner');
  const notice = page.getByRole('region', { name: 'Team of this tab' });
  await expect(header).toContainText('Southwind');
  await expect(notice).toContainText('You are looking at Southwind in this tab.');
  await expect(page.getByRole('heading', { name: 'Retention', level: 1 })).toBeVisible();
  await picture(page, 'team-link');
  await page.reload();
  await expect(notice).toBeVisible();
  const other = await context.newPage();
  await other.goto('/');
  await expect(other.getByRole('banner')).toContainText('Northwind');
  await expect(other.getByRole('region', { name: 'Team of this tab' })).toHaveCount(0);

  await notice.getByRole('button', { name: 'Back to Northwind' }).click();
  await expect(header).toContainText('Northwind');
  await expect(page).toHaveURL(`/?team=${team.id}`);
  await expect(notice).toHaveCount(0);
  await page.goBack();
  await expect(header).toContainText('Southwind');
  await notice.getByRole('button', { name: 'Switch to this team' }).click();
  await expect(notice).toHaveCount(0);
  await expect(header).toContainText('Southwind');
  await other.goto('/');
  await expect(other.getByRole('banner')).toContainText('Southwind');
});

test('a form with unsaved changes is not left for another team without a question', async ({ page, node, team }) => {
  for (const id of [southwind, team.id])
    await setRule(node, id, 'archived_notes', { value: 1, duration: { count: 30, period: 'd' } });
  await page.goto(`${NOTES}?team=${southwind}`);
  await page.getByRole('button', { name: 'Back to Northwind' }).click();
  await page.getByRole('link', { name: 'Retention', exact: true }).click();
  await page.getByRole('link', { name: 'Archived notes' }).click();
  const count = page.getByLabel('Count');
  await count.fill('60');

  page.once('dialog', (dialog) => void dialog.dismiss());
  await page.goto(`${NOTES}?team=${southwind}`).catch(() => undefined);
  await expect(count).toHaveValue('60');

  await page.evaluate(() => history.go(-3));
  const question = page.getByRole('dialog', { name: 'Discard changes' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('banner')).toContainText('Northwind');
  await expect(count).toHaveValue('60');
  await page.evaluate(() => history.go(-3));
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('banner')).toContainText('Southwind');
  await expect(count).toHaveValue('30');
});
