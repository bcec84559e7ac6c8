import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';

/** An export that is not written yet. `teamId` is '' for a user's own. */
export async function userExport(
  node: TestApp,
  { teamId, userId, requestedBy }: { teamId: string; userId: string; requestedBy: string },
): Promise<string> {
  const id = newId();
  const row = { team_id: teamId, id, person_id: userId, requested_by: requestedBy };
  await node.db
    .insertInto('privacy_exports')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return id;
}
