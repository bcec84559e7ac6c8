import type { Page } from '@playwright/test';
import type { SignInOutcome } from '@steward/contract/users/sign-ins';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { expect, type Given } from '../../browser/fixtures.ts';

export async function openLog(page: Page, query = ''): Promise<void> {
  await page.goto(`/users/sign_ins${query}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign-in Log' })).toBeVisible();
}

/** The header isn't included. */
export const lines = (page: Page) => page.locator('[data-row]');

interface NewRow {
  who: string;
  at?: number;
  outcome?: SignInOutcome;
  device?: string;
  address?: string;
}

/** Rows without a time are from now. */
export async function addSignIns({ node, team }: Given, rows: readonly NewRow[]): Promise<void> {
  const values = rows.map(
    ({ who, at = Date.now(), outcome = 'ok', device = 'Firefox on Linux', address = '192.0.2.44' }) => ({
      team_id: team.id,
      id: newId(at),
      person_id: who,
      at: new Date(at),
      outcome,
      method: 'password' as const,
      address,
      device,
      request_id: newId(),
    }),
  );
  await node.db.insertInto('sign_ins').values(values).execute();
}
