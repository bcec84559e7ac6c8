import { listPeople } from '@steward/server/src/features/users/users.store.ts';
import { createDatabase } from '@steward/server/src/platform/database.ts';
import { pageOf } from '@steward/server/src/platform/paging.ts';
import { createSecrets } from '@steward/server/src/platform/secrets.ts';
import type pg from 'pg';
import type { Bench } from './bench.ts';
import { inTurn } from './figures.ts';
import { load } from './load.ts';
import type { Place, Team } from './place.ts';
import { signIn, startBare } from './processes.ts';
import { type Row, ratioRow } from './report.ts';

const CLIENTS = 10;
const DEEP_PAGE = 5_000;

/** A page of 100 people, the first and a deep one, against bare Fastify with the same statement. */
export async function list(bench: Bench): Promise<Row[]> {
  const { place, team, server, options } = bench;
  const cookie = await signIn(server, team);
  const page = Math.min(DEEP_PAGE, Math.floor((team.people * 0.9) / 100));
  const key = await keyOfPage(place, team, page);
  const bare = await startBare({
    kind: 'list',
    url: place.url,
    queries: [await statementOf(team, undefined), await statementOf(team, key)],
  });
  const first = `/api/v4/admin/teams/${team.id}/users`;
  const deep = `${first}?last_key=${encodeURIComponent(signed(place, team, key))}`;
  const rateOf = (port: number, path: string) => async () => {
    const result = await load(port, { clients: CLIENTS, seconds: options.seconds, calls: () => ({ path, cookie }) });
    if (result.failures > 0) throw new Error(`${result.failures} calls of the list failed.`);
    return result.rate;
  };
  try {
    await rateOf(server.port, first)();
    const { rounds } = options;
    const ours = { first: rateOf(server.port, first), deep: rateOf(server.port, deep) };
    const limits = { first: rateOf(Number(bare.said), '/0'), deep: rateOf(Number(bare.said), '/1') };
    const unit = 'requests/s';
    const pairs = [
      await inTurn(rounds, ours.first, limits.first),
      await inTurn(rounds, ours.deep, limits.deep),
      await inTurn(rounds, ours.deep, ours.first),
    ] as const;
    return [
      ratioRow('list, first page, against bare Fastify + pg', { ...pairs[0], unit }, { min: 0.6 }),
      ratioRow(`list, page ${page}, against bare`, { ...pairs[1], unit }, { min: 0.6 }),
      ratioRow(`list, page ${page} against the first`, { ...pairs[2], unit }, { min: 0.9, max: 1.1 }),
    ];
  } finally {
    await bare.stop();
  }
}

type Key = readonly [nameKey: string, id: string];

/** The last person before a page. */
async function keyOfPage(place: Place, team: Team, page: number): Promise<Key> {
  const { rows } = await place.pool.query(
    `select name_key, person_id from memberships where team_id = $1 and not deactivated
     order by name_key, person_id offset $2 limit 1`,
    [team.id, (page - 1) * 100 - 1],
  );
  return [rows[0].name_key, rows[0].person_id];
}

/** The cursor that paging to there would have ended with. */
function signed(place: Place, team: Team, key: Key): string {
  const scope = { list: 'users', teamId: team.id, filters: {} };
  const secrets = createSecrets(place.secretKey);
  return pageOf([key, key], { limit: 1, first: false, secrets, scope, keyOf: () => key }).last_key ?? '';
}

/** The statement that the server itself sends for a page, caught on its way. */
async function statementOf(team: Team, key: Key | undefined): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const query = async (text: string, values: readonly unknown[]) => {
    sent.push({ text, values: [...values] });
    return { command: 'SELECT', rowCount: 0, rows: [] };
  };
  const connection = { query, release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as pg.Pool;
  await listPeople(createDatabase(pool), {
    teamId: team.id,
    search: '',
    owners: false,
    admins: false,
    members: false,
    deactivated: false,
    after: key && { nameKey: key[0], id: key[1] },
    limit: 101,
  });
  const statement = sent[0];
  if (!statement) throw new Error('The list sent no statement.');
  return statement;
}
