import { randomBytes } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { type Connection, REMOTE_TEAM, TOKEN } from '../setup/connection.ts';
import { withClient } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import { signIn, startServer } from '../setup/server.ts';
import { type Figure, inTurns, ratioFigure, timed } from '../setup/statistics.ts';
import { type List, measure } from './lists.ts';

const DAYS = 365;
const DAY_MS = 86_400_000;
/** Messages of one call of a bridge, and the calls of one measurement. */
const PAGE = 1_000;
const PAGES = 20;
const CHANNEL = 'channel2';

/** These lists are cheap, and each call reads the session, the mapping and the rights besides: docs/performance.md. */
const LIST_MIN = 0.4;

const pathOf = ({ id, team }: Connection) => `/api/v4/admin/teams/${team.id}/connections/${id}`;

function requireConnection({ connection }: Bench): Connection {
  if (connection === undefined) throw new Error('The row needs a connection.');
  return connection;
}

/** Measures pages of 100 of the lists of a connected server. */
export async function connectedLists(bench: Bench): Promise<Figure[]> {
  const connection = requireConnection(bench);
  await using server = await startServer(bench.database);
  const cookie = await signIn(server, connection.team);
  const figures: Figure[] = [];
  for (const list of describeLists(connection))
    figures.push(...(await measure(bench, { server, cookie, list: { ...list, min: LIST_MIN } })));
  return figures;
}

function describeLists(connection: Connection): List[] {
  const { id, team, orderId, people, channels, orders, orderRows } = connection;
  const path = pathOf(connection);
  return [
    {
      name: 'people of a server',
      path: `${path}/users?`,
      text: `select u.id, u.username, u.name, u.email, u.roles, u.team_ids, u.is_bot, u.owns_bots, u.is_protected, u.deactivated_at,
          (select jsonb_build_object('action', w.action, 'detail', w.detail, 'remote', w.outcome, 'asked_at', w.asked_at)
            from connected_work w where w.server_id = u.server_id and w.user_id = u.id and w.remote_team_id = $2
            order by w.id desc limit 1) as last_work,
          case when m.person_id is not null then jsonb_build_object('user_id', m.person_id, 'email', coalesce(m.email, p.email),
            'name', trim(concat_ws(' ', p.first_name, p.last_name))) end as account
        from connected_users u
        left join connected_links l on l.server_id = u.server_id and l.team_id = $3 and l.user_id = u.id
        left join memberships m on m.team_id = l.team_id and m.person_id = l.person_id
        left join people p on p.id = m.person_id and m.email is null
        where u.server_id = $1 and $2 = any(u.team_ids)
        order by u.username collate "C", u.id limit 101`,
      values: [id, REMOTE_TEAM, team.id],
      rows: people,
    },
    {
      name: 'channels of a server',
      path: `${path}/channels?`,
      text: `select c.id, c.type, c.name, c.archived_at > 0 as archived, c.messages, c.listed_at,
          c.id = any(t.default_channel_ids) as is_default
        from connected_channels c join connected_teams t on t.server_id = c.server_id and t.team_id = c.team_id
        where c.server_id = $1 and c.team_id = $2 and c.type in ('O', 'P') order by c.name collate "C", c.id limit 101`,
      values: [id, team.id],
      rows: channels,
      // Each page is sorted from all channels that follow the previous page.
      laterMax: 2,
    },
    {
      name: 'orders',
      path: `${path}/orders?`,
      text: `select id, rows, threads, gone, orphans, digest, proof, server_version, reason, state, kept_by, opened_at, closed_at
        from connected_orders where server_id = $1 and team_id = $2 order by id desc limit 101`,
      values: [id, team.id],
      rows: orders,
    },
    {
      name: 'messages of an order',
      path: `${path}/orders/${orderId}/rows?`,
      text: `select r.id, r.channel_id, r.thread_id, r.created_at, r.outcome, r.reason, c.name as channel_name
        from connected_order_rows r left join connected_channels c on c.server_id = $2 and c.id = r.channel_id
        where r.order_id = $1 order by r.id limit 101`,
      values: [orderId, id],
      rows: orderRows,
    },
  ];
}

/** The kind marks messages that are removed in the end. */
const MESSAGE = {
  user_id: 'user1',
  root_id: '',
  original_id: '',
  edited_at: 0,
  deleted_at: 0,
  kind: 'bench',
  size: 60,
};
type Message = ReturnType<typeof createMessages>[number];

/** New messages of one channel. */
function createMessages() {
  const created_at = Date.now() - DAYS * DAY_MS;
  return Array.from({ length: PAGE }, () => {
    const id = randomBytes(13).toString('hex');
    return { ...MESSAGE, id, created_at, updated_at: created_at, files: [] };
  });
}

const COLUMNS =
  'server_id, channel_id, id, thread_id, original_id, user_id, created_at, active_at, deleted_at, kind, size, file_ids';

function toRow(serverId: string, { id, user_id, created_at, kind, size }: Message): unknown[] {
  return [serverId, CHANNEL, id, id, '', user_id, created_at, created_at, 0, kind, size, '{}'];
}

/** Measures pages of messages that a bridge sends, against one INSERT of the same rows for each page. */
export async function ingest(bench: Bench): Promise<Figure[]> {
  const { id: serverId } = requireConnection(bench);
  const { pool } = bench.database;
  await using server = await startServer(bench.database);
  const client = openClient(server.port);
  const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` };
  const send = (method: 'POST' | 'PUT', path: string, body: unknown) =>
    client.json({ path: `/api/v4/connector/${path}`, method, body, headers });
  const { lease } = await send('POST', 'lease', { bridge: 'bench' });
  headers['connector-lease'] = lease;
  const ours = async () => {
    // A lease lasts a minute.
    await send('POST', 'lease', { bridge: 'bench', lease });
    const { list_id } = await send('POST', 'lists', { kind: 'messages', channel_id: CHANNEL });
    let page = 0;
    return perPage(async (messages) => {
      await send('PUT', `lists/${list_id}/pages/${page}`, { messages });
      page += 1;
    });
  };
  const bare = () =>
    withClient(bench.database, (db) =>
      perPage(async (messages) => {
        const rows = messages.map((message) => toRow(serverId, message));
        const places = rows.map((row, nth) => `(${row.map((_, at) => `$${nth * row.length + at + 1}`).join()})`);
        await db.query(`insert into connected_messages (${COLUMNS}) values ${places.join()}`, rows.flat());
      }),
    );
  // The first round is measured while V8 still compiles.
  await ours();
  await bare();
  const pair = await inTurns(bench.rounds, ours, bare);
  client.close();
  await pool.query('update connected_servers set lease_until = null where id = $1', [serverId]);
  await pool.query('delete from connected_messages where kind = $1', [MESSAGE.kind]);
  await pool.query('vacuum (analyze) connected_messages');
  const what = `page of ${PAGE.toLocaleString('en-US')} messages`;
  return [ratioFigure(what, pair, { is: 'one INSERT of the same rows', unit: 'ms', max: 2 })];
}

/** Returns the milliseconds that a page takes. */
async function perPage(send: (messages: Message[]) => Promise<void>): Promise<number> {
  const pages = Array.from({ length: PAGES }, createMessages);
  const took = await timed(async () => {
    for (const messages of pages) await send(messages);
  });
  return took / PAGES;
}

/** Measures the preview of rules, which selects as nights do, against a count of the threads that are old as a whole. */
export async function connectedPreview(bench: Bench): Promise<Figure[]> {
  const connection = requireConnection(bench);
  const { pool } = bench.database;
  await using server = await startServer(bench.database);
  const cookie = await signIn(server, connection.team);
  const client = openClient(server.port);
  const path = `${pathOf(connection)}/retention/preview`;
  const rule = { value: 1, duration: { count: DAYS, period: 'd' } };
  const body = { public_channels: rule, private_channels: rule };
  const cutoff = (Math.floor(Date.now() / DAY_MS) - DAYS) * DAY_MS;
  const ask = () => timed(() => client.json({ path, method: 'POST', cookie, body }));
  const whole = `select 1 from connected_messages where server_id = $1 group by channel_id, thread_id
    having max(created_at) < $2`;
  const count = () => timed(() => pool.query(`select count(*) from (${whole}) as threads`, [connection.id, cutoff]));
  // The first call on each connection reads the catalogs.
  await ask();
  await count();
  const pair = await inTurns(bench.rounds, ask, count);
  client.close();
  const what = `preview among ${connection.messages.toLocaleString('en-US')} messages`;
  return [ratioFigure(what, pair, { is: 'count(*) of whole threads', unit: 'ms', max: 2.5 })];
}
