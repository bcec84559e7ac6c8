import type { Bench } from '../bench.ts';
import type { Team } from '../setup/database.ts';
import { load, openClient } from '../setup/load.ts';
import { type Server, signIn, startReference, startServer } from '../setup/server.ts';
import { type Figure, median, ratioFigure } from '../setup/statistics.ts';

const CLIENTS = 10;
const SECONDS = 1;
const DEEP_PAGE = 5_000;
const EXPORT_PAGE = 2_000;

/** These columns of a membership, its person and their presence are in the list of users. */
export const PEOPLE_COLUMNS = `m.person_id as id, coalesce(m.first_name, p.first_name) as first_name,
    coalesce(m.last_name, p.last_name) as last_name, coalesce(m.email, p.email) as email, m.roles,
    case when m.email is not null then 'invited' when m.deactivated then 'deactivated' else 'active' end as state,
    case when m.deactivated then 'offline' when pr.manual then pr.status
      when pr.last_activity_at > extract(epoch from now()) * 1000 - 300000 then 'online'
      when pr.last_activity_at > extract(epoch from now()) * 1000 - 1800000 then 'away' else 'offline' end as status,
    case when m.email is null then 2 else 1 end as type, coalesce(p.last_picture_update, m.create_at) as last_picture_update,
    coalesce(p.create_at, m.create_at) as create_at, coalesce(p.update_at, m.create_at) as update_at,
    coalesce(m.deactivated_at, 0) as delete_at, coalesce(p.apps, '{}') as apps,
    case when m.email is null then m.create_at end as joined_at, m.invited_at, m.last_active_at,
    case when m.invitation_limited then 'limited' end as invitation`;

export const ENTRY_COLUMNS = 'id, name, phone_number, sms, email, user_id, last_picture_update';

type Order = 'asc' | 'desc';

function selectPeople(range: string, column: string, order: Order): string {
  return `select ${PEOPLE_COLUMNS} from (${range}) m
    left join lateral (select * from people where id = m.person_id offset 0) p on true
    left join lateral (select * from presence where person_id = m.person_id offset 0) pr on true
    order by m.${column} ${order}, m.person_id ${order}`;
}

/** 101 rows show if there is a next page. */
export function byName(order: Order): string {
  const range = `select * from memberships where team_id = $1 and not deactivated
    order by name_key ${order}, person_id ${order} limit 101`;
  return selectPeople(range, 'name_key', order);
}

/** Indexes by activity and by joining start with the group of a membership, so one range of each group is read and merged. */
function byGroup(column: 'last_active_at' | 'create_at', order: Order): string {
  const sorted = `order by ${column} ${order}, person_id ${order} limit 101`;
  const known = column === 'last_active_at' ? 'and last_active_at is not null' : '';
  const range = `select page.* from unnest('{1,2,3,4,11,12,13,14}'::smallint[]) wanted (member_group)
    cross join lateral (select * from memberships where team_id = $1 and
      member_group(roles, email, deactivated) = wanted.member_group ${known} ${sorted}) page ${sorted}`;
  return selectPeople(range, column, order);
}

export interface List {
  name: string;
  path: string;
  text: string;
  /** Parameters of the statement. */
  values: unknown[];
  rows: number;
  /** The least ratio to bare Fastify and pg. */
  min?: number;
  /** The most that a later page may be faster than the first. */
  laterMax?: number;
}

function listsOf({ id, people, entries }: Team): List[] {
  const users = (name: string, query: string, text: string): List => ({
    name: `users, ${name}`,
    path: `/api/v4/admin/teams/${id}/users?${query}`,
    text,
    values: [id],
    rows: people,
  });
  return [
    users('by name', '', byName('asc')),
    users('by name, backwards', 'sort=name&order=desc&', byName('desc')),
    users('last active first', 'sort=last_active&order=desc&', byGroup('last_active_at', 'desc')),
    users('last active last', 'sort=last_active&order=asc&', byGroup('last_active_at', 'asc')),
    users('newest first', 'sort=joined&order=desc&', byGroup('create_at', 'desc')),
    users('oldest first', 'sort=joined&order=asc&', byGroup('create_at', 'asc')),
    {
      name: 'entries',
      path: `/api/v4/teams/${id}/compdir?`,
      text: `select ${ENTRY_COLUMNS} from directory_entries where team_id = $1 order by name_key, id limit 101`,
      values: [id],
      rows: entries,
      // A page of entries is the cheapest, so what each call does besides weighs most.
      min: 0.4,
    },
  ];
}

/** Measures a page of 100 of each list: the first one against bare Fastify and pg, and a deep one against the first. */
export async function listPages(bench: Bench): Promise<Figure[]> {
  await using server = await startServer(bench.database);
  const cookie = await signIn(server, bench.large);
  const figures: Figure[] = [];
  for (const list of listsOf(bench.large)) figures.push(...(await measure(bench, { server, cookie, list })));
  return figures;
}

interface Measured {
  server: Server;
  cookie: string;
  list: List;
}

/** Measures the first page and a deep one. */
export async function measure({ database, rounds }: Bench, { server, cookie, list }: Measured): Promise<Figure[]> {
  const { text, values } = list;
  await using bare = await startReference({ kind: 'list', url: database.url, text, values });
  const { page, path: deepPath } = await findDeepPage(server, { cookie, list });
  const rate = async (port: number, path: string) =>
    (await load(port, { clients: CLIENTS, seconds: SECONDS, call: () => ({ path, cookie }) })).rate;
  const sides = [
    () => rate(server.port, list.path),
    () => rate(Number(bare.said), '/'),
    () => rate(server.port, deepPath),
  ];
  const rates: number[][] = [];
  // The first round is measured while V8 still compiles.
  for (let round = 0; round <= rounds; round += 1) {
    const taken: number[] = [];
    for (const side of sides) taken.push(await side());
    if (round > 0) rates.push(taken);
  }
  const of = (side: number) => median(rates.map((round) => round[side] ?? 0));
  const ratio = (side: number, to: number) => median(rates.map((round) => (round[side] ?? 0) / (round[to] ?? 0)));
  const unit = 'pages/s';
  return [
    ratioFigure(
      `${list.name}, first page`,
      { ours: of(0), reference: of(1), ratio: ratio(0, 1) },
      { is: 'bare Fastify + pg', unit, min: list.min ?? 0.5 },
    ),
    ratioFigure(
      `${list.name}, page ${page.toLocaleString('en-US')}`,
      { ours: of(2), reference: of(0), ratio: ratio(2, 0) },
      { is: 'first page', unit, min: 0.8, max: list.laterMax ?? 1.2 },
    ),
  ];
}

/** Reads the list in the largest pages, like an export, up to page 5,000 of 100 or to half of the list. */
async function findDeepPage(server: Server, { cookie, list }: Omit<Measured, 'server'>) {
  const client = openClient(server.port);
  const rowsBefore = Math.min((DEEP_PAGE - 1) * 100, Math.floor(list.rows / 2));
  let lastKey = '';
  for (let rows = 0; rows < rowsBefore; ) {
    const limit = Math.min(EXPORT_PAGE, rowsBefore - rows);
    const { last_key } = await client.json({ path: `${list.path}limit=${limit}${toQuery(lastKey)}`, cookie });
    lastKey = last_key;
    rows += limit;
  }
  client.close();
  return { page: rowsBefore / 100 + 1, path: `${list.path}${toQuery(lastKey).slice(1)}` };
}

function toQuery(lastKey: string): string {
  return lastKey === '' ? '' : `&last_key=${encodeURIComponent(lastKey)}`;
}
