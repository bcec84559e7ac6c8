import { expect, signIn, test } from '../browser/fixtures.ts';

test('responses have the security headers, requests go only to the server, and no foreign script runs', async ({
  page,
  node,
  team,
  trouble,
}) => {
  trouble.expect(/Content Security Policy|status of 404/i);
  const missing: string[] = [];
  let pages = 0;
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    const headers = response.headers();
    const need = (name: string, value: RegExp) => {
      if (!value.test(headers[name] ?? '')) missing.push(`${pathname}: ${name} is ${headers[name]}`);
    };
    need('x-content-type-options', /^nosniff$/);
    need('referrer-policy', /^no-referrer$/);
    if (pathname.startsWith('/api/')) need('cache-control', /no-store|private/);
    if (response.request().resourceType() !== 'document') return;
    pages += 1;
    need('cache-control', /no-store/);
    need('content-security-policy', /script-src 'self' 'sha256-[\w+/]{43}=';/);
    need('content-security-policy', /object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'/);
    if (/unsafe/.test(headers['content-security-policy'] ?? '')) missing.push(`${pathname}: an unsafe policy`);
  });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${node.url}/`) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await page.goto('/login');
  await signIn(page, { node }, team.owner);
  await page.goto('/users/users');
  await expect(page.getByRole('row', { name: /Olivia Owner/ })).toBeVisible();
  expect(pages).toBe(2);
  expect(missing).toEqual([]);
  expect(foreign).toEqual([]);

  const ran = await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.pwned = 1';
    document.body.append(script);
    const image = document.createElement('div');
    image.innerHTML = '<img src="x" onerror="globalThis.pwned = 1">';
    document.body.append(image);
    return 'pwned' in globalThis;
  });
  expect(ran).toBe(false);
});
