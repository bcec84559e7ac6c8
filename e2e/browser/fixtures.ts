import { readFile } from 'node:fs/promises';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import type { SignedInUser } from '@steward/server/testing/workspace/factories.ts';
import { type HelpdeskSimulator, startHelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { makeTeam, type Team } from './team-members.ts';

/**
 * A real server with its own database and the portal that global-setup.ts has built. Emails are collected in its inbox.
 * Its URL names localhost, because browsers have no passkeys for IP addresses.
 */
export async function startPortal(env: Record<string, string> = {}): Promise<TestApp> {
  const portalDirectory = process.env.STEWARD_E2E_PORTAL ?? '';
  const all = { PUBLIC_URL: 'http://localhost', SSO_ALLOW_LOOPBACK: '1', ...env };
  const node = await startApp({ listen: true, pool: 6, portalDirectory, env: all });
  // The port is only known once the server listens.
  node.url = node.deps.env.publicUrl = node.url.replace('127.0.0.1', 'localhost');
  return node;
}

interface Fixtures {
  /** Each test has its own team, with an owner who has a session. */
  team: Team;
  trouble: Trouble;
  /** Another browser has its own cookies and storage. */
  another: (options?: BrowserContextOptions) => Promise<Page>;
}

export interface Given {
  node: TestApp;
  team: Team;
}

/** All tests use these. A test that replaced one would make Playwright start each worker, and the server in it, again. */
interface WorkerFixtures {
  simulator: HelpdeskSimulator;
  node: TestApp;
}

/** Tests run in a real browser against the real server. Anything unexpected in the browser's console fails them. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  simulator: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here
    async ({}, use) => {
      await using simulator = await startHelpdeskSimulator();
      await use(simulator);
    },
    { scope: 'worker' },
  ],
  node: [
    async ({ simulator }, use) => {
      await using node = await startPortal({ HELPDESK_URL: simulator.template });
      await use(node);
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ node }, use) => use(node.url),
  team: async ({ node }, use) => {
    const team = await makeTeam(node);
    await use(team);
    // While a team has single sign-on, the sign-in page of the whole server asks for the email address first.
    await node.db.deleteFrom('sso_connections').execute();
  },
  trouble: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what is needed from here
    async ({}, use) => {
      const trouble = collectPageErrors();
      await use(trouble);
      expect(trouble.lines(), 'unexpected lines in the console').toEqual([]);
    },
    { auto: true },
  ],
  context: async ({ context, trouble }, use) => {
    await trouble.watch(context);
    await use(context);
  },
  another: async ({ browser, baseURL, trouble }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext({ ...(baseURL && { baseURL }), ...options });
      contexts.push(context);
      await trouble.watch(context);
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
});

/** The cookies are those that an earlier sign-in would have set. */
export async function signIn(page: Page, { node }: { node: TestApp }, who: SignedInUser): Promise<void> {
  // An open screen would make its next call in the other user's session.
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  const shared = { url: node.url, sameSite: 'Strict' as const };
  await page.context().addCookies([
    { ...shared, name: 'steward_token', value: who.token, httpOnly: true },
    { ...shared, name: 'steward_user', value: who.id },
  ]);
}

export async function typePassword(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password', { exact: true }).fill(who.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function openAccount(page: Page): Promise<void> {
  await page.getByRole('button', { name: /, account/ }).click();
  await page.getByRole('menuitem', { name: 'My account' }).click();
}

/** Signs out by the menu. The session has ended once the form is there; an earlier form would use its cookie. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /, account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');
}

export async function download(page: Page, on: Locator): Promise<{ name: string; bytes: Buffer; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), on.click()]);
  const bytes = await readFile(await file.path());
  return { name: file.suggestedFilename(), bytes, text: bytes.toString() };
}

export { expect };

type Trouble = ReturnType<typeof collectPageErrors>;

/** Collects errors in the console (a breach of the content policy is one), uncaught errors, and crashed pages. */
function collectPageErrors() {
  const lines: string[] = [];
  const expected: RegExp[] = [];
  const note = (line: string) => void lines.push(line);
  return {
    /** The test provokes these lines: a refused call, for example, is a line in the console. */
    expect: (line: RegExp) => void expected.push(line),
    async watch(context: BrowserContext) {
      context.on('console', (message) => {
        const isError = message.type() === 'error' || /content security policy/i.test(message.text());
        if (isError) note(`${message.text()} (${message.location().url})`);
      });
      context.on('weberror', (thrown) => note(`uncaught: ${thrown.error().stack ?? thrown.error().message}`));
      context.on('page', (page) => page.on('crash', () => note('the page crashed')));
      // Code that catches the error, such as that of `eval`, doesn't log it to the console.
      await context.addInitScript(() =>
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error(`Breach of the content security policy: ${violatedDirective} ${blockedURI}`),
        ),
      );
    },
    lines: () => lines.filter((line) => !expected.some((pattern) => pattern.test(line))),
  };
}
