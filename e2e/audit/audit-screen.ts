import { addEntries, saveEntries } from '@steward/contract/directory';
import { call } from '@steward/server/testing/app/call.ts';
import type { SignedInUser } from '@steward/server/testing/workspace/factories.ts';
import { expect, type Given } from '../browser/fixtures.ts';

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
