import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import type { Bench } from './setup.ts';

/** Gives some people of the team one password. */
export async function setPasswords(
  { database, team }: Bench,
  { count, password }: { count: number; password: string },
): Promise<string[]> {
  const { rows } = await database.pool.query(
    `update people set password_hash = $2 where id in (
       select p.id from memberships m join people p on p.id = m.person_id
       where m.team_id = $1 and not m.deactivated and m.roles = '{team_user}'
       order by p.id limit $3) returning email`,
    [team.id, await hashPassword(password), count],
  );
  return rows.map((row) => row.email);
}
