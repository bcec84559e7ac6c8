import { expect, signIn, signOut, test } from '../browser/fixtures.ts';

test('signing out clears cookies and storage, also in the other tab, and Back shows nothing', async ({
  page,
  context,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/status of 401/);
  await signIn(page, { node }, team.owner);
  const second = await context.newPage();
  await second.goto('/users/users');
  await expect(second.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.goto('/');
  await page.getByRole('link', { name: 'Manage Users' }).first().click();
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await signOut(page);
  await expect(second).toHaveURL('/login');
  await expect(second.getByText('Olivia')).toHaveCount(0);
  expect(await context.cookies()).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  for (const secret of [team.id, team.owner.id, team.owner.email, 'Olivia', team.owner.token]) {
    expect(kept).not.toContain(secret);
  }
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Olivia')).toHaveCount(0);
  const answer = await page.request.get('/api/v4/users/me', { headers: { cookie: team.owner.cookie } });
  expect(answer.status()).toBe(401);
});
