import { runInactivityNights } from '@steward/server/src/features/users/inactivity/night.job.ts';
import { extractMailToken } from '@steward/server/testing/peers/inbox.ts';
import { activitySource, inactiveMember, inactivityNight } from '@steward/server/testing/workspace/inactivity.ts';
import { sql } from 'kysely';
import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';
import { expectAccessible } from '../screens/accessible.ts';

const PATH = '/users/inactivity';

test.beforeEach(async ({ page, node, team }) => {
  await activitySource(node, team.id);
  await signIn(page, { node }, team.owner);
});

test('an owner switches the rule on after seeing whom it touches, confirms a night, and undoes another', async ({
  page,
  another,
  node,
  team,
}) => {
  test.slow();
  const ada = await inactiveMember(node, team.id, 200);
  await page.goto('/users/users');
  await page.getByRole('navigation').getByRole('link', { name: 'Inactivity' }).click();
  await expect(page.getByText('The rule has not had a night yet.')).toBeVisible();
  await picture(page, 'inactivity-off');
  await page.getByLabel('Deactivate members without activity').check();
  await page.getByLabel('Reports by a service token').check();
  await page.getByRole('button', { name: 'Save' }).click();
  const review = page.getByRole('dialog', { name: 'Inactivity Rule' });
  await expect(review.getByRole('row').filter({ hasText: 'Some Body' })).toHaveCount(3);
  await expect(review.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await picture(page, 'inactivity-review');
  await expectAccessible(page, 'review');
  await review.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved Successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Add Exception' }).click();
  const form = page.getByRole('dialog', { name: 'Add Exception' });
  await form.getByRole('combobox', { name: 'Member' }).click();
  await form.getByRole('option', { name: 'Olivia Owner' }).click();
  await form.getByLabel('Reason').fill('Parental leave');
  await picture(page, 'inactivity-exception');
  await form.getByRole('button', { name: 'Add Exception' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Parental leave' })).toBeVisible();

  await sql`update inactivity_rules set on_since = now() - interval '30 days' where team_id = ${team.id}`.execute(
    node.db,
  );
  await runInactivityNights(node.deps);
  await page.goto('/');
  await page.getByRole('link', { name: /The inactivity rule would touch 1 member/ }).click();
  await expect(page).toHaveURL(PATH);
  await page.getByRole('button', { name: 'Confirm Night' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm Night' });
  await picture(page, 'inactivity-confirm');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Night confirmed')).toBeVisible();
  await runInactivityNights(node.deps);
  const token = extractMailToken(await node.inbox.next(ada.email));
  const member = await another();
  await member.goto(`/still_needed?token=${token}`);
  await expect(member).toHaveURL('/still_needed');
  await expect(member.getByRole('button', { name: 'I still need access' })).toBeVisible();
  await picture(member, 'still-needed');
  await expectAccessible(member, 'still needed');
  await member.getByRole('button', { name: 'I still need access' }).click();
  await expect(member.getByRole('heading', { name: 'You keep your access' })).toBeVisible();

  await inactivityNight(node, team.id, 'done');
  await page.goto(PATH);
  await expect(page.getByRole('table', { name: 'Last nights' })).toBeVisible();
  await picture(page, 'inactivity');
  await page.getByRole('table', { name: 'Last nights' }).scrollIntoViewIfNeeded();
  await picture(page, 'inactivity-nights');
  await expectAccessible(page, 'inactivity');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await page.getByRole('dialog', { name: 'Undo Night' }).getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('1 member restored')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Last nights' })).toContainText('Undone');
  await page.getByRole('link', { name: 'History' }).click();
  for (const text of ['Changed the inactivity rule', 'Confirmed a night', 'Undid a night', 'access is still needed'])
    await expect(page.getByRole('row').filter({ hasText: text })).toBeVisible();
});
