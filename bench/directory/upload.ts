import type { UploadRow } from '@steward/contract/directory';
import { generateEntries } from '@steward/server/src/operator/sample-data/generate-entries.ts';
import { loadNames } from '@steward/server/src/operator/sample-data/name-pools.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';
import { type Client, openClient } from '../setup/load.ts';
import type { Server } from '../setup/processes.ts';

/** Rows that the team's directory does not have yet, as the portal sends them. */
export async function newRows(team: Team, count: number): Promise<UploadRow[]> {
  const recipe = { pools: await loadNames(), key: team.id, seed: 2 };
  return generateEntries(recipe, 0, count).map((entry) => ({ ...entry, id: '' }));
}

/** Server, team and session of an upload. */
export interface Uploader {
  server: Server;
  team: Team;
  cookie: string;
}

/** One import as the portal does it: start, calls, finish. */
export async function upload(
  { server, team, cookie }: Uploader,
  { rows, perCall }: { rows: readonly UploadRow[]; perCall: number },
): Promise<void> {
  const client = openClient(server.port);
  const path = `/api/v4/teams/${team.id}/compdir`;
  const post = (to: string, body: object, key: string) =>
    sent(client, { path: path + to, method: 'POST', cookie, headers: { 'Idempotency-Key': key }, body });
  const { id } = await post('/imports', { file_name: 'bench.csv' }, `bench-${performance.now()}`);
  let created = 0;
  for (let from = 0; from < rows.length; from += perCall) {
    const answer = await post(`/multi?import_id=${id}`, rows.slice(from, from + perCall), `${id}-${from}`);
    created += Number(answer.created);
  }
  await post(`/imports/${id}/finish`, { cancelled: false, unreadable: 0 }, `${id}-finish`);
  client.close();
  if (created !== rows.length) throw new Error(`The upload added ${created} of ${rows.length} rows only.`);
}

async function sent(client: Client, call: Parameters<Client['send']>[0]): Promise<Record<string, unknown>> {
  const { status, body } = await client.send(call);
  if (status !== 200) throw new Error(`A call of the upload answered ${status}: ${body.toString().slice(0, 300)}`);
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

/** Deletes what imports added, so that each upload has the same table. */
export async function removeUploaded({ pool }: BenchDatabase, team: Team): Promise<void> {
  await pool.query("delete from directory_entries where team_id = $1 and import_id <> ''", [team.id]);
  await pool.query('delete from directory_imports where team_id = $1', [team.id]);
  await pool.query('vacuum directory_entries, directory_imports, idempotency_keys');
}
