import type { Page } from '@playwright/test';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import type { TestUser } from '@steward/server/testing/workspace/factories.ts';
import type { Given } from '../browser/fixtures.ts';

/** The header isn't included. */
export const people = (page: Page) => page.getByRole('table', { name: 'People' }).locator('[data-row]');

export const personRow = (page: Page, text: string) => people(page).filter({ hasText: text });

export async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Delays requests until the returned function is called. */
export async function holdCalls(page: Page, address: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held.promise;
    // The page may have aborted the request.
    await route.continue().catch(() => undefined);
  });
  return held.resolve;
}

/** The email worker couldn't deliver the invitation of a pending user. */
export async function failInvitation({ node, team }: Given, { id, email }: TestUser): Promise<void> {
  const about = { team_id: team.id, person_id: id, kind: 'users.invitation', recipient: email };
  const outcome = { state: 'failed', attempts: 1, error: '550 no such user', ended_at: new Date() } as const;
  await node.db
    .insertInto('mails')
    .values({ id: newId(), ...about, ...outcome })
    .execute();
}
