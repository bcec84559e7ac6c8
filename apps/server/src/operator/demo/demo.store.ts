import type { Database } from '#platform/database/database.ts';

/** Whether the workspace has no team yet. */
export async function isEmpty(db: Database): Promise<boolean> {
  return (await db.selectFrom('teams').select('id').limit(1).executeTakeFirst()) === undefined;
}
