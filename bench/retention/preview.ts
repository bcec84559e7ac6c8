import { type Client, openClient } from '../setup/load.ts';
import { signIn } from '../setup/processes.ts';
import { type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, timed } from '../setup/statistics.ts';
import { findNearestReach, measureReach, type PublicReach, REACHED } from './reach.ts';

/** What rules for public channels would delete, against `count(*)` by the same condition on the same index. */
export async function retentionPreview(bench: Bench): Promise<Row[]> {
  const { database, team, server, messages } = bench;
  // For index-only scans despite what an earlier row wrote.
  await database.pool.query('vacuum (analyze) messages');
  const client = openClient(server.port);
  try {
    const cookie = await signIn(server, team);
    const rows: Row[] = [];
    for (const reach of [await measureReach(database, team, 1), await findNearestReach(database, team, messages / 10)])
      rows.push(await previewed(bench, reach, { client, cookie }));
    return rows;
  } finally {
    client.close();
  }
}

async function previewed(
  { database, team, options, messages }: Bench,
  { duration, cutoff, count }: PublicReach,
  { client, cookie }: { client: Client; cookie: string },
): Promise<Row> {
  const path = `/api/v4/admin/teams/${team.id}/retention/preview`;
  const body = { public_channels: { value: 1, duration } };
  const preview = async () => {
    const { status, body: said } = await client.send({ path, method: 'POST', cookie, body });
    const counted = status === 200 ? JSON.parse(said.toString()).public_channels.count : said.toString();
    if (counted !== count) throw new Error(`The preview counts ${counted} and not ${count}.`);
  };
  const bare = () => database.pool.query(`select count(*) from messages where ${REACHED}`, [team.id, cutoff]);
  await preview();
  await bare();
  const pair = await measureInTurns(
    options.rounds,
    () => timed(preview),
    () => timed(bare),
  );
  const number = (rows: number) => rows.toLocaleString('en-US');
  const row = `retention preview that counts ${number(count)} of ${number(messages)} messages, against count(*)`;
  return ratioRow(row, { ...pair, unit: 'ms' }, { max: 1.2 });
}
