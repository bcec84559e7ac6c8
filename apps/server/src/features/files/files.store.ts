import { sql } from 'kysely';
import type { Database } from '#platform/database/database.ts';
import { isInEffect } from '#workspace/channels/channels.store.ts';
import { isActive } from '#workspace/users/active-members.store.ts';
import type { FileAccess } from './file-access.rules.ts';

/** A visible file and the caller's relation to it. */
export interface FileAccessRow extends FileAccess {
  id: string;
  team_id: string;
  post_id: string;
  name: string;
  size: number;
  blob: string | null;
  create_at: number;
  update_at: number;
  delete_at: number;
}

/** Returns undefined outside the team and for a hidden file. */
export async function findFile(db: Database, fileId: string, userId: string): Promise<FileAccessRow | undefined> {
  const { rows } = await sql<FileAccessRow>`
    select f.id, f.user_id, f.channel_id, coalesce(p.id, '') as post_id, f.name, f.size, f.blob, f.create_at, f.update_at,
      f.delete_at, m.roles, c.name as channel_name, c.type as channel_type, j.person_id is not null as has_joined, f.team_id,
      exists (select 1 from compliance_access a where a.team_id = c.team_id and a.channel_id = c.id
        and a.person_id = m.person_id and ${isInEffect}) as has_compliance_access
    from files f
    join memberships m on m.team_id = f.team_id and m.person_id = ${userId} and ${isActive()}
    left join channels c on c.team_id = f.team_id and c.id = f.channel_id
    left join channel_members j on j.team_id = c.team_id and j.channel_id = c.id and j.person_id = m.person_id
    left join messages p on p.team_id = f.team_id and p.id = f.post_id and p.delete_at = 0
    where f.id = ${fileId} and f.delete_at = 0 and not f.doomed`.execute(db);
  return rows[0];
}
