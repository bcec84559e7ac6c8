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
  outcome: SignInOutcome;
  device?: string;
  address?: string;
}

export async function addSignIns({ node, team }: Given, rows: readonly NewRow[]): Promise<void> {
  const shared = { team_id: team.id, method: 'password' as const, device: 'Firefox on Linux', address: '192.0.2.44' };
  const values = rows.map(({ who, ...row }) => {
    return { ...shared, ...row, id: newId(), person_id: who, at: new Date(), request_id: newId() };
  });
  await node.db.insertInto('sign_ins').values(values).execute();
}
