import { listDirectory } from '@steward/server/src/features/directory/directory.store.ts';
import type { UserSearch } from '@steward/server/src/features/users/list/selection.store.ts';
import { createDatabase, type Database } from '@steward/server/src/platform/database/database.ts';
import { getPage } from '@steward/server/src/platform/http/paging.ts';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import type pg from 'pg';
import type { BenchDatabase, Team } from '../setup/database.ts';
import { load } from '../setup/load.ts';
import { signIn, startReference } from '../setup/processes.ts';
import {
  canReadProcessorTime,
  ofClient,
  ofPostgres,
  ofProcess,
  type ReadProcessorTime,
} from '../setup/processor-time.ts';
import { type Row, ratioRow } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { measureInTurns, median } from '../setup/statistics.ts';

/** A page of 100 people by name. */
export async function list(bench: Bench): Promise<Row[]> {
  return compareWithBare(bench, { ...people(bench, { sort: 'name' }), name: 'list' });
}

/** A page of 100 people in each other order, and with deactivated people. */
export async function sortedLists(bench: Bench): Promise<Row[]> {
  await spreadActivity(bench);
  const rows: Row[] = [];
  for (const query of [
    { sort: 'last_active', order: 'desc' },
    { sort: 'last_active', order: 'asc' },
    { sort: 'joined', order: 'desc' },
    { sort: 'name', order: 'desc' },
    { sort: 'joined', order: 'asc', deactivated_accounts: '1' },
  ] as const) {
    const list = people(bench, query);
    rows.push(await compareDepth(bench, list));
  }
  return rows;
}

interface PeopleQuery {
  sort: UserSearch['sort'];
  order?: 'asc' | 'desc';
  deactivated_accounts?: '1';
}

const COLUMNS = { name: 'name_key', last_active: 'last_active_at', joined: 'create_at' };

function people({ team }: Bench, query: PeopleQuery): PagedList {
  const { sort, order = 'asc', deactivated_accounts } = query;
  const column = COLUMNS[sort];
  const isPlain = sort === 'name' && order === 'asc';
  return {
    name: `list ${new URLSearchParams({ ...query })}`,
    scope: 'users',
    filters: isPlain ? {} : { ...query },
    path: `/api/v4/admin/teams/${team.id}/users`,
    rows: team.people,
    keyAt: `select ${column} as name_key, person_id as id from memberships
      where team_id = $1 and ${deactivated_accounts === '1' ? 'true' : 'not deactivated'}
      order by ${column} ${order} nulls last, person_id ${order} offset $2 limit 1`,
    statement: async (after) => ({ text: PEOPLE, values: [team.id, ...(after ?? ['', ''])] }),
  };
}

/** What the server's lists read of a membership, its person and their presence, as plain columns. */
export const PEOPLE_COLUMNS = `m.person_id as id, coalesce(m.first_name, p.first_name) as first_name,
    coalesce(m.last_name, p.last_name) as last_name, coalesce(m.email, p.email) as email, m.name_key, m.roles,
    case when m.email is not null then 'invited' when m.deactivated then 'deactivated' else 'active' end as state,
    case when m.deactivated then 'offline' when pr.manual then pr.status
      when pr.last_activity_at > extract(epoch from now()) * 1000 - 300000 then 'online'
      when pr.last_activity_at > extract(epoch from now()) * 1000 - 1800000 then 'away' else 'offline' end as status,
    case when m.email is null then 2 else 1 end as type, coalesce(p.last_picture_update, m.create_at) as last_picture_update,
    coalesce(p.create_at, m.create_at) as create_at, coalesce(p.update_at, m.create_at) as update_at,
    coalesce(m.deactivated_at, 0) as delete_at, coalesce(p.apps, '{}') as apps,
    case when m.email is null then m.create_at end as joined_at, m.invited_at, m.last_active_at,
    case when m.invitation_limited then 'limited' end as invitation`;

/** A page by name: bare Fastify makes JSON of it. */
const PEOPLE = `select ${PEOPLE_COLUMNS}
  from (
    select * from memberships where team_id = $1 and not deactivated and (name_key, person_id) > ($2, $3)
    order by name_key, person_id limit 101
  ) m
  left join lateral (select * from people where id = m.person_id offset 0) p on true
  left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true
  order by m.name_key, m.person_id`;

/** Nine of ten members were active once, as in a team that has used the product for a while. */
async function spreadActivity({ database, team }: Bench): Promise<void> {
  await database.pool.query(
    `update memberships set last_active_at = 1700000000000 + abs(hashtext(person_id))::bigint * 30
      where team_id = $1 and email is null and abs(hashtext(person_id)) % 10 <> 0 and last_active_at is null`,
    [team.id],
  );
  await database.pool.query('vacuum analyze memberships');
}

/** A page of 100 directory entries. */
export async function directoryList(bench: Bench): Promise<Row[]> {
  const { team } = bench;
  return compareWithBare(bench, {
    name: 'directory list',
    scope: 'directory',
    filters: {},
    path: `/api/v4/teams/${team.id}/compdir`,
    rows: team.entries,
    keyAt: `select name_key, id from directory_entries where team_id = $1
      order by name_key, id offset $2 limit 1`,
    statement: (after) =>
      intercept((db) =>
        listDirectory(db, {
          ...{ teamId: team.id, search: '', limit: 101 },
          after: after && { nameKey: after[0], id: after[1] },
        }),
      ),
  });
}

const CLIENTS = 10;
const DEEP_PAGE = 5_000;

type Key = readonly [nameKey: string, id: string];

interface Statement {
  text: string;
  values: unknown[];
}

/** A list that is paged by name. */
interface PagedList {
  /** Name in the report. */
  name: string;
  /** Name in its cursors. */
  scope: string;
  /** Filters and order, as in its query. */
  filters: Record<string, string>;
  path: string;
  /** Number of rows. */
  rows: number;
  /** Statement for `name_key` and `id` of the row number $2 of the team $1. */
  keyAt: string;
  /** Reads 101 rows by name as plain columns. */
  statement(after: Key | undefined): Promise<Statement>;
}

/** What one side did in all rounds. */
interface Side {
  port: number;
  path: string;
  processor: ReadProcessorTime | undefined;
  /** Calls per second, and the processor time of all that took part in a call, in milliseconds. */
  rounds: { rate: number; time: number }[];
}

/** Fewer rounds let a single disturbed second decide. */
const LEAST_ROUNDS = 7;

/** A page of 100 rows, the first and a deep one, against bare Fastify with the same statement. */
async function compareWithBare(bench: Bench, list: PagedList): Promise<Row[]> {
  const { database, team, server, options } = bench;
  const cookie = await signIn(server, team);
  const page = Math.min(DEEP_PAGE, Math.floor((list.rows * 0.9) / 100));
  const key = await keyBefore(database, { team, list, page });
  const queries = [await list.statement(undefined), await list.statement(key)];
  const bare = await startReference({ kind: 'list', url: database.url, queries });
  const ours = createSide({ port: server.port, processor: getProcessor(database, server.pid) });
  const limit = createSide({ port: Number(bare.said), processor: getProcessor(database, bare.pid) });
  const [first, firstLimit] = [ours(list.path), limit('/0')] as const;
  const [deep, deepLimit] = [ours(pathAfter(database, { team, list, key })), limit('/1')] as const;
  const sides = [first, firstLimit, deep, deepLimit];
  try {
    // What is measured first would be measured while V8 still compiles it.
    for (const side of sides) await measureSide(side, options.seconds, cookie);
    for (let round = 0; round < Math.max(options.rounds, LEAST_ROUNDS); round += 1)
      for (const side of sides) side.rounds.push(await measureSide(side, options.seconds, cookie));
  } finally {
    await bare.stop();
  }
  const deepName = `${list.name}, page ${page}`;
  return [
    rateRow(`${list.name}, first page, against bare Fastify + pg`, [first, firstLimit], { min: 0.9 }),
    rateRow(`${deepName}, against bare`, [deep, deepLimit], { min: 0.9 }),
    rateRow(`${deepName} against the first`, [deep, first], { min: 0.9, max: 1.1 }),
    ...timeRows(`${list.name}, first page`, [first, firstLimit]),
    ...timeRows(deepName, [deep, deepLimit]),
  ];
}

function createSide(of: Pick<Side, 'port' | 'processor'>) {
  return (path: string): Side => ({ ...of, path, rounds: [] });
}

function getProcessor({ dataDir }: BenchDatabase, pid: number): ReadProcessorTime | undefined {
  if (dataDir === undefined || !canReadProcessorTime) return undefined;
  const parts = [ofProcess(pid), ofPostgres(dataDir), ofClient];
  return () => parts.reduce((sum, read) => sum + read(), 0);
}

async function measureSide({ port, path, processor }: Side, seconds: number, cookie: string) {
  const before = processor?.() ?? 0;
  const { rate, times, failures } = await load(port, { clients: CLIENTS, seconds, calls: () => ({ path, cookie }) });
  if (failures > 0) throw new Error(`${failures} calls of the list failed.`);
  return { rate, time: ((processor?.() ?? 0) - before) / times.length };
}

type Pair = readonly [ours: Side, limit: Side];

function compare([ours, limit]: Pair, of: 'rate' | 'time') {
  const values = (side: Side) => side.rounds.map((round) => round[of]);
  return {
    ours: median(values(ours)),
    limit: median(values(limit)),
    ratio: median(ours.rounds.map((round, at) => round[of] / (limit.rounds[at]?.[of] ?? Number.NaN))),
  };
}

function rateRow(name: string, pair: Pair, target: { min: number; max?: number }): Row {
  return ratioRow(name, { ...compare(pair, 'rate'), unit: 'requests/s' }, target);
}

/** On a busy machine, processor time says more than a rate. */
function timeRows(name: string, pair: Pair): Row[] {
  if (pair[0].processor === undefined) return [];
  const { ours, limit, ratio } = compare(pair, 'time');
  const row = `${name}, processor time of server, PostgreSQL and client for a call`;
  return [ratioRow(row, { ours, limit, ratio, unit: 'ms' }, { max: 1 / 0.9 })];
}

/** A deep page against the first one, both from the server. */
async function compareDepth(bench: Bench, list: PagedList): Promise<Row> {
  const { database, team, server, options } = bench;
  const cookie = await signIn(server, team);
  const page = Math.min(DEEP_PAGE, Math.floor((list.rows * 0.9) / 100));
  const key = await keyBefore(database, { team, list, page });
  const measureRate = rateOf(options.seconds, cookie);
  const first = measureRate(server.port, `${list.path}?${new URLSearchParams(list.filters)}`);
  const deep = measureRate(server.port, pathAfter(database, { team, list, key }));
  await first();
  const pair = await measureInTurns(options.rounds, deep, first);
  return ratioRow(
    `${list.name}, page ${page} against the first`,
    { ...pair, unit: 'requests/s' },
    { min: 0.9, max: 1.1 },
  );
}

function rateOf(seconds: number, cookie: string) {
  return (port: number, path: string) => async () => {
    const result = await load(port, { clients: CLIENTS, seconds, calls: () => ({ path, cookie }) });
    if (result.failures > 0) throw new Error(`${result.failures} calls of the list failed.`);
    return result.rate;
  };
}

function pathAfter(database: BenchDatabase, at: { team: Team; list: PagedList; key: Key }): string {
  return `${at.list.path}?${new URLSearchParams({ ...at.list.filters, last_key: signed(database, at) })}`;
}

/** The last row before a page. */
async function keyBefore(database: BenchDatabase, { team, list, page }: { team: Team; list: PagedList; page: number }) {
  const { rows } = await database.pool.query(list.keyAt, [team.id, (page - 1) * 100 - 1]);
  return [String(rows[0].name_key ?? ''), rows[0].id] as const;
}

/** The cursor for the page after that row. */
function signed(database: BenchDatabase, { team, list, key }: { team: Team; list: PagedList; key: Key }): string {
  const scope = { list: list.scope, teamId: team.id, filters: list.filters };
  const secrets = createSecrets(database.secretKey);
  return getPage([key, key], { limit: 1, first: false, secrets, scope, toKey: () => key }).last_key ?? '';
}

/** The statement that a function of the server sends. */
async function intercept(ask: (db: Database) => Promise<unknown>): Promise<Statement> {
  const sent: Statement[] = [];
  const query = async (text: string, values: readonly unknown[]) => {
    sent.push({ text, values: [...values] });
    return { command: 'SELECT', rowCount: 0, rows: [] };
  };
  const connection = { query, release: () => undefined };
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as pg.Pool;
  await ask(createDatabase(pool));
  const statement = sent[0];
  if (!statement) throw new Error('The list sent no statement.');
  return statement;
}
