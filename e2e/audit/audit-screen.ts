import { addEntries, saveEntries } from '@steward/contract/directory';
import { call } from '@steward/server/testing/app/call.ts';
import { expect, type Given } from '../browser/fixtures.ts';

/** The owner adds an entry to the directory and renames it; returns the entry's id. */
export async function renameEntry({ node, team }: Given, [before, after]: [string, string]): Promise<string> {
  const owner = { as: team.owner, params: { teamId: team.id } };
  const added = await call(node, addEntries, { ...owner, body: [{ name: before, phone_number: '030 1' }] });
  const [{ id }] = added.body.records;
  const edited = await call(node, saveEntries, { ...owner, body: [{ id, name: after }], from: '192.0.2.44' });
  expect(edited.status).toBe(200);
  return id;
}
