import { expect, signIn, test } from '../../browser/fixtures.ts';
import { expectAccessible, SIZES } from '../../screens/accessible.ts';
import { addSignIns, lines, openLog } from './sign-ins-screen.ts';

const OUTCOMES = ['ok', 'bad_password', 'throttled', 'second_factor', 'deactivated', 'sso_refused'] as const;

for (const [size, viewport] of Object.entries(SIZES)) {
  test.describe(`${size}, in both themes, axe finds nothing`, () => {
    test.use({ viewport });
    test.setTimeout(60_000);

    test('on the sign-in log: empty, listed with every result, choosing a user, without matches', async ({
      page,
      node,
      team,
    }) => {
      await signIn(page, { node }, team.owner);
      await openLog(page);
      await expect(page.getByRole('heading', { name: 'No sign-ins yet' })).toBeVisible();
      await expectAccessible(page, 'an empty log');
      await addSignIns(
        { node, team },
        OUTCOMES.map((outcome) => ({ who: team.owner.id, outcome })),
      );
      await openLog(page, `?user=${team.owner.id}`);
      await expect(lines(page)).toHaveCount(OUTCOMES.length);
      await expectAccessible(page, 'the log');
      await page.getByRole('button', { name: 'User: Olivia Owner' }).click();
      await expect(page.getByRole('option', { name: 'Olivia Owner' })).toBeVisible();
      await expectAccessible(page, 'choosing a user');
      await page.keyboard.press('Escape');
      await openLog(page, '?from=2100-01-01');
      await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
      await expectAccessible(page, 'no matches');
    });
  });
}
