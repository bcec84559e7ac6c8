import { expect, signIn, test } from '../browser/fixtures.ts';

test('the focus begins with a link to the content, follows the visual order, is always visible, and nothing moves for users who prefer that', async ({
  page,
  node,
  team,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
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
  await page.keyboard.press('Escape');

  // This is the size of a screen of 1280 × 800 at a zoom of 200 %.
  await page.setViewportSize({ width: 640, height: 400 });
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

test('the status is polled, a lost connection and an unreachable server are reported, and the notice disappears when they are back', async ({
  page,
  context,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/);
  await page.clock.install();
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.clock.fastForward(30_000);
  await expect(page.getByRole('banner')).toContainText('Online');
  await context.setOffline(true);
  const offline = page.getByText('You’re offline. Reconnecting automatically…');
  await expect(offline).toBeVisible();
  await context.setOffline(false);
  await expect(offline).toHaveCount(0);

  await page.route('**/api/v4/**', (route) => route.abort('connectionrefused'));
  const notice = page.getByText('Can’t reach the server. Reconnecting automatically…');
  await expect(async () => {
    // If the last poll has not ended, the next one is due later.
    await page.clock.fastForward(30_000);
    await expect(notice).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  await page.unroute('**/api/v4/**');
  await expect(async () => {
    await page.clock.fastForward(5_000);
    await expect(notice).toHaveCount(0, { timeout: 1_000 });
  }).toPass();
});

test('a chosen theme is remembered, the page never starts in the other one, and a tab that is older than the server reloads when a screen of its release is gone', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/ERR_FAILED.*\/assets\/|Failed to load resource/);
  await signIn(page, { node }, team.owner);
  await page.goto('/');
  await page.getByRole('button', { name: /, account/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  // Without the portal's own code, only the inline script can have chosen the theme, and it needs no request of its own.
  const scripts: string[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname);
  });
  await page.route('**/assets/*.js', (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
  await page.reload();
  await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(scripts.filter((path) => !path.startsWith('/assets/'))).toEqual([]);
  expect(await page.locator('script[src]:not([type="module"])').count()).toBe(0);

  await page.unroute('**/assets/*.js');
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
