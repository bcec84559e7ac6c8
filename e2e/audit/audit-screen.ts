import type { Page } from '@playwright/test';
import { addEntries, saveEntries } from '@steward/contract/directory';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { call } from '@steward/server/testing/app/call.ts';
import type { SignedInUser } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given } from '../browser/fixtures.ts';

export async function openAudit(page: Page, query = ''): Promise<void> {
  await page.goto(`/dashboard/audit_log${query}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible();
}

/** The header isn't included. */
export const lines = (page: Page) => page.locator('[data-row]');

/** Adds an entry to the directory as a user and renames it; returns the entry's id. */
export async function renameEntry(
  { node, team }: Given,
  who: SignedInUser,
  [before, after]: [string, string],
): Promise<string> {
  const params = { teamId: team.id };
  const added = await call(node, addEntries, { as: who, params, body: [{ name: before, phone_number: '030 1' }] });
  const [{ id }] = added.body.records;
  const edited = await call(node, saveEntries, { as: who, params, body: [{ id, name: after }], from: '192.0.2.44' });
  expect(edited.status).toBe(200);
  return id;
}

/** The rows are one minute apart, and the newest is from now. */
export async function addLines({ node, team }: Given, count: number, action = 'users.edited'): Promise<void> {
  const values = Array.from({ length: count }, (_, at) => ({
    team_id: team.id,
    id: newId(),
    at: new Date(Date.now() - at * 60_000),
    actor_id: team.owner.id,
    action,
    target: team.owner.id,
    details: '{}',
    address: '192.0.2.1',
    request_id: newId(),
  }));
  for (let from = 0; from < count; from += 500)
    await node.db
      .insertInto('audit_events')
      .values(values.slice(from, from + 500))
      .execute();
}
