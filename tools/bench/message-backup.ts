import type { Place, Team } from './bench-database.ts';
import { removeSent } from './feed.ts';
import { REACHED } from './retention-reach.ts';

/** Copies what a rule reaches, since measuring deletes it. */
export async function backUpMessages({ pool }: Place, team: Team, cutoff: number): Promise<void> {
  await pool.query('create unlogged table bench_reached as select * from messages limit 0');
  await pool.query(`insert into bench_reached select * from messages where ${REACHED} order by id`, [team.id, cutoff]);
}

/** Makes the messages what they were when they were set aside: nothing is missing and nothing came. */
export async function restoreMessages(place: Place, team: Team): Promise<void> {
  // Room is made first, else the table would grow with every round.
  await removeSent(place, team);
  if (!(await hasBackup(place))) return;
  await place.pool.query('insert into messages select * from bench_reached order by id on conflict do nothing');
  await place.pool.query('vacuum (analyze) messages');
}

/** Lets go of the copy. */
export async function dropBackup({ pool }: Place): Promise<void> {
  await pool.query('drop table if exists bench_reached');
}

async function hasBackup({ pool }: Place): Promise<boolean> {
  const { rows } = await pool.query("select to_regclass('bench_reached') is not null as is");
  return rows[0].is;
}
