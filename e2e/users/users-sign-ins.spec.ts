import { login } from '@steward/contract/session';
import { call } from '@steward/server/testing/app/call.ts';
import { PASSWORD, person } from '@steward/server/testing/workspace/factories.ts';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { chooseAction } from './users-screen.ts';

test('the sign-in log opens from the menu of a user, and is filtered by result', async ({ page, node, team }) => {
  const max = await person(node, { team: team.id, first_name: 'Max', last_name: 'Member' });
  const anna = await person(node, { team: team.id, first_name: 'Anna', last_name: 'Admin', kind: 'admin' });
  const attempt = (email: string, password: string, nth: number) =>
    call(node, login, { body: { login_id: email, password }, from: `2001:db8:9::${nth}` });
  await attempt(max.email, 'wrong', 1);
  await attempt(max.email, PASSWORD, 2);
  await attempt(anna.email, PASSWORD, 3);
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await chooseAction(page, 'Max Member', 'Sign-ins');
  await expect(page).toHaveURL(`/users/sign_ins?user=${max.id}`);
  const rows = page.getByRole('table', { name: 'Sign-ins' }).locator('[data-row]');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Signed in');
  await expect(rows.nth(1)).toContainText('Wrong password');
  await page.getByLabel('Result').selectOption('Wrong password');
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove the user filter' }).click();
  await page.getByLabel('Result').selectOption('All results');
  await expect(page).toHaveURL('/users/sign_ins');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('Anna Admin');
  await picture(page, 'sign-ins');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /Download CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/-sign-ins\.csv$/);
});
