import type { Locator, Page } from '@playwright/test';
import { toIntegrationId } from '@steward/server/src/features/integrations/providers/registry.ts';
import type { HelpdeskSimulator } from '@steward/zendesk-simulator/simulator.ts';
import { test as base, expect } from '../browser/fixtures.ts';
import type { Team } from '../browser/team-members.ts';

export const INTEGRATIONS = '/dashboard/integrations';

export const test = base.extend<{ helpdesk: HelpdeskSimulator }>({
  helpdesk: [
    async ({ simulator }, use) => {
      simulator.reset();
      await use(simulator);
      await simulator.settled();
    },
    { auto: true },
  ],
});

export { expect };

export const getZendeskId = (team: Team) => toIntegrationId(team.id, 'zendesk');

export const credentialsPath = (team: Team) => `/dashboard/settings/${getZendeskId(team)}`;

export function tile(page: Page): Locator {
  const name = page.getByRole('heading', { name: 'Zendesk' });
  return page.getByRole('list', { name: 'Integrations' }).getByRole('listitem').filter({ has: name });
}

/** The label of a required field ends in an asterisk. */
export const field = (form: Page | Locator, label: string) => form.getByLabel(new RegExp(`^${label}( \\*)?$`));

const LOGIN = { domain: 'acme', email: 'ada@acme.example', token: 'acme-token' };

export async function typeToken(form: Page | Locator, changes: Partial<typeof LOGIN> = {}): Promise<void> {
  const { domain, email, token } = { ...LOGIN, ...changes };
  await form.getByRole('radio', { name: 'API token or password' }).check();
  await field(form, 'Domain').fill(domain);
  await field(form, 'Email').fill(email);
  await field(form, 'API Token').fill(token);
}

/** The form ends at the tiles. */
export async function connectByForm(page: Page, team: Team): Promise<void> {
  await page.goto(credentialsPath(team));
  await typeToken(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(tile(page)).toContainText('Connected');
}
