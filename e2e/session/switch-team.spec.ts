import { team as anotherTeam, join } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';

test('another team is stored, and shown after a reload 100 ms after the choice, not before', async ({
  page,
  node,
  team,
}) => {
  const southwind = await anotherTeam(node, 'Southwind');
  await join(node, southwind, team.owner.id, 'admin');
  await signIn(page, { node }, team.owner);
  await page.clock.install();
  await page.goto('/users/users');
  await page.getByRole('link', { name: /Northwind/ }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: /Southwind/ });
  await expect(choice).toBeVisible();
  const loads: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()));
  await page.clock.pauseAt(Date.now() + 60_000);
  await choice.click();
  await expect(page.getByText('Switching…')).toBeVisible();
  await page.clock.runFor(99);
  // An earlier reload would be requested before this call, or would interrupt it.
  await page.evaluate(() => fetch('/favicon.svg', { cache: 'no-store' }).then((answer) => answer.text()));
  expect(loads).toEqual([]);
  const loaded = page.waitForEvent('load');
  await page.clock.runFor(1);
  await loaded;
  expect(loads).toHaveLength(1);
  await page.clock.resume();
  await expect(page.getByRole('banner')).toContainText('Southwind');
  await expect(page).toHaveURL(`/users/users?team=${southwind}`);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('banner')).toContainText('Southwind');
});
