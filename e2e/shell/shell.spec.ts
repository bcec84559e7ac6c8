import { expect, signIn, test } from '../browser/fixtures.ts';
import { picture } from '../browser/picture.ts';

/** These paths have no screen: a preview that is hidden, and two unknown ones. */
const NOT_BUILT = ['/sms/manage_sms', '/dashboard/billing', '/dashboard/no_such_screen'];

test('the header shows the current screen, the team and the user', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  const header = page.getByRole('banner');
  await expect(header).toContainText('Welcome to Admin');
  await expect(header).toContainText('Northwind');
  await expect(header).toContainText('Olivia Owner');
  await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
});

test('the status in the header is that of the last poll', async ({ page, node, team }) => {
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await expect(page.getByRole('banner')).toContainText('Olivia Owner');
  await page.clock.fastForward(30_000);
  await expect(page.getByRole('banner')).toContainText('Online');
});

test('the sidebar has the specified groups in their order, and one active item', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('heading')).toHaveText([
    'Users',
    'Team Settings',
    'Sms',
    'Integrations',
    'Workspace',
    'Security',
  ]);
  await expect(main.locator('[aria-current="page"]')).toHaveText(['Manage Users']);
  await expect(main.getByRole('link', { name: 'Manage Sms' })).toHaveAttribute('href', '/sms/manage_sms');
});

test('routes without a screen, and unknown ones, show the fallback inside the shell', async ({
  page,
  node,
  team,
  trouble,
}) => {
  // The server answers 404 with the page itself if there is no such screen.
  trouble.expect(/status of 404/);
  await signIn(page, { node }, team.owner);
  for (const path of [...NOT_BUILT, '/no/such/place']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible();
    await expect(page.getByRole('banner')).toContainText('Northwind');
  }
});

test('unknown paths, also below /users, /dashboard and /sms, show the fallback to visitors', async ({
  page,
  trouble,
}) => {
  trouble.expect(/status of 404/);
  for (const path of [...NOT_BUILT, '/users/no_such_screen', '/users', '/no/such/place']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Page not found' }), path).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to sign in' }), path).toBeVisible();
    await expect(page, path).toHaveURL(path);
  }
  await picture(page, 'not-found');
});

test('the first Tab offers to skip to the content, and the order is the visual one', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
  const order: string[] = [];
  for (let step = 0; step < 7; step += 1) {
    await page.keyboard.press('Tab');
    order.push(await page.evaluate(() => document.activeElement?.textContent?.trim() ?? ''));
  }
  expect(order[0]).toBe('Skip to content');
  expect(order[1]).toBe('Welcome to Admin');
  expect(order[2]).toContain('Northwind');
  expect(order[3]).toContain('Search');
  expect(order[4]).toContain('Olivia Owner');
  expect(order.slice(5)).toEqual(['Home', 'Users']);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('every element with the keyboard focus shows it', async ({ page, node, team }) => {
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  const bare: string[] = [];
  for (let step = 0; step < 18; step += 1) {
    await page.keyboard.press('Tab');
    const unseen = await page.evaluate(() => {
      const held = document.activeElement;
      if (held === null || held === document.body) return undefined;
      const ring = (element: Element) => {
        const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
        return { outlined: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1, boxShadow, borderColor };
      };
      const focused = ring(held);
      if (focused.outlined) return undefined;
      (held as HTMLElement).blur();
      const plain = ring(held);
      (held as HTMLElement).focus();
      const differs = plain.boxShadow !== focused.boxShadow || plain.borderColor !== focused.borderColor;
      return differs ? undefined : held.outerHTML.slice(0, 120);
    });
    if (unseen !== undefined) bare.push(unseen);
  }
  expect(bare).toEqual([]);
});

test('a chosen theme is remembered, and the page never starts in the other one', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_FAILED.*\/assets\//);
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await page.getByRole('button', { name: /, account/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
});

test('a lost connection is reported, and the notice disappears when it is back', async ({
  page,
  context,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_INTERNET_DISCONNECTED/);
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await context.setOffline(true);
  const notice = page.getByText('You’re offline. Reconnecting automatically…');
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  await expect(notice).toHaveCount(0);
});

test('an unreachable server is reported too, and found again', async ({ page, node, team, trouble }) => {
  trouble.expect(/ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.route('**/api/v4/**', (route) => route.abort('connectionrefused'));
  await page.clock.fastForward(30_000);
  const notice = page.getByText('Can’t reach the server. Reconnecting automatically…');
  await expect(notice).toBeVisible();
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.unroute('**/api/v4/**');
  await page.clock.fastForward(5_000);
  await expect(notice).toHaveCount(0);
});

test('nothing moves for users who prefer reduced motion', async ({ page, node, team }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused();
  // A fading color isn't motion.
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .map((animation) => (animation instanceof CSSTransition ? animation.transitionProperty : 'keyframes'))
      .filter((what) => !/color/.test(what)),
  );
  expect(moving).toEqual([]);
});

test('a tab that is older than the server reloads when a screen of its release is gone', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/Failed to load resource/);
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Steward Admin Portal' })).toBeVisible();
  // The files of the old release are gone until the page is loaded again.
  let isOld = true;
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isOld = false;
  });
  await page.route('**/assets/users*.js', (route) => (isOld ? route.abort() : route.continue()));
  await page.getByRole('link', { name: 'Manage Users' }).first().click();
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await expect(page).toHaveURL('/users/users');
  expect(isOld).toBe(false);
});

test('an element with the keyboard focus is not hidden under the header', async ({ page, node, team }) => {
  // This is the size of a screen of 1280 × 800 at a zoom of 200 %.
  await page.setViewportSize({ width: 640, height: 400 });
  await signIn(page, { node }, team.owner);
  await page.goto('/dashboard/team_settings/file_retention');
  const save = page.getByRole('button', { name: 'Save' });
  const last = page.getByRole('radio', { checked: true }).last();
  await save.focus();
  // The position is the same as if the user had scrolled slightly too far.
  await last.evaluate((radio) => window.scrollBy(0, radio.getBoundingClientRect().top - 20));
  await page.keyboard.press('Shift+Tab');
  await expect(last).toBeFocused();
  const header = await page.getByRole('banner').boundingBox();
  const radio = await last.boundingBox();
  expect(radio?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0));
});
