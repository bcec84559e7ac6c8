import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addHold } from '#workspace/content/holds/holds.store.ts';

type Hold = Parameters<typeof addHold>[2];

/** Covers the whole team by default. Returns the id. */
export async function legalHold(node: TestApp, { teamId, ...given }: { teamId: string } & Partial<Hold>) {
  const id = newId();
  const empty = { user_ids: [], channel_ids: [], connected_user_ids: [], connected_channel_ids: [] };
  const hold: Hold = { name: 'Dispute', reason: 'Case 12', ...empty, settings: [], from: null, to: null, ...given };
  await inTransaction(node.db, (trx) => addHold(trx, { teamId, id, createdBy: null }, hold));
  return id;
}
