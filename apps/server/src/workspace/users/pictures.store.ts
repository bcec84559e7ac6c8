import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { savePictureUpdate } from './users.store.ts';

export interface PictureRow {
  id: string;
  first_name: string;
  last_name: string;
  email: string;
  content: Buffer | null;
}

/**
 * Finds the picture of a member of these teams, or of the caller. An invitation has none, with or without an account.
 */
export async function findPicture(
  db: Database,
  { callerId, teamIds }: { callerId: string; teamIds: readonly string[] },
  userId: string,
): Promise<PictureRow | undefined> {
  const { rows } = await sql<PictureRow>`
    select found.*, pictures.content from (
      (select b.person_id as id, coalesce(b.first_name, p.first_name) as first_name,
        coalesce(b.last_name, p.last_name) as last_name, coalesce(b.email, p.email) as email
      from memberships b
      left join people p on p.id = b.person_id
      where b.team_id = any(${teamIds}) and b.person_id = ${userId} limit 1)
      union all
      (select id, first_name, last_name, email from people where id = ${userId} and id = ${callerId})
      limit 1
    ) found left join pictures on pictures.person_id = found.id`.execute(db);
  return rows[0];
}

export async function savePicture(trx: Trx, userId: string, content: Buffer): Promise<void> {
  await trx
    .insertInto('pictures')
    .values({ person_id: userId, content })
    .onConflict((picture) => picture.column('person_id').doUpdateSet({ content }))
    .execute();
  await savePictureUpdate(trx, userId);
}

export async function removePicture(trx: Trx, userId: string): Promise<boolean> {
  const removed = await trx
    .deleteFrom('pictures')
    .where('person_id', '=', userId)
    .returning('person_id')
    .executeTakeFirst();
  if (removed) await savePictureUpdate(trx, userId);
  return removed !== undefined;
}
