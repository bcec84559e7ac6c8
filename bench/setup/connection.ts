import { hashToken } from '@steward/server/src/platform/security/secrets.ts';
import type { BenchDatabase, Team } from './database.ts';

/** A server that a team governs, with people, channels and messages of its own. */
export interface Connection {
  id: string;
  team: Team;
  /** The order whose rows are listed. */
  orderId: string;
  people: number;
  channels: number;
  orders: number;
  orderRows: number;
  messages: number;
}

const SIZES = {
  whole: { people: 100_000, channels: 20_000, orders: 10_000, orderRows: 200_000, messages: 1_000_000 },
  quick: { people: 20_000, channels: 2_000, orders: 2_000, orderRows: 40_000, messages: 200_000 },
};

const ID = 'benchserver000000000000000';
/** The token of its bridge. */
export const TOKEN = `stc_${'b'.repeat(43)}`;
const ORDER_ID = 'benchorder0000000000000000';
export const REMOTE_TEAM = 'bench-team';
/** Channels with messages. The first of them has three of ten messages. */
const READ = 2_000;

/** Statements that fill a connection; a fifth of its messages is older than a year, and the others are younger. */
const STATEMENTS: readonly [text: string, values: (connection: Connection) => unknown[]][] = [
  [
    `insert into connected_servers (id, provider, name, token_hash, users_listed_at, channels_listed_at)
      values ($1, 'mattermost', 'Chat', $2, now(), now())`,
    ({ id }) => [id, hashToken(TOKEN)],
  ],
  [
    `insert into connected_teams (server_id, remote_id, team_id, direct_messages, accepted_at, night)
      values ($1, '${REMOTE_TEAM}', $2, false, now(), '9999-01-01')`,
    ({ id, team }) => [id, team.id],
  ],
  [
    `insert into connected_users (server_id, id, username, name, email, roles, team_ids, is_bot, owns_bots, is_protected, deactivated_at)
      select $1, 'user' || n, md5(n::text), 'Person ' || n, n || '@chat.example', '{system_user}', '{${REMOTE_TEAM}}',
        false, false, false, 0 from generate_series(1, $2::int) n`,
    ({ id, people }) => [id, people],
  ],
  [
    `insert into connected_channels (server_id, id, remote_team_id, team_id, type, name, member_ids, archived_at, arrived_at,
        list_began_at, listed_at)
      select $1, 'channel' || n, '${REMOTE_TEAM}', $2, case when n % 10 = 9 then 'P' else 'O' end, md5(n::text), '{}', 0,
        now() - interval '9 days', now(), now() from generate_series(1, $3::int) n`,
    ({ id, team, channels }) => [id, team.id, channels],
  ],
  [
    // Threads of a fifth are old. A thread has four messages at most, which arrived in the order of their channels.
    `insert into connected_messages (server_id, id, channel_id, thread_id, original_id, user_id, created_at, active_at, deleted_at,
        kind, size, file_ids, file_bytes, arrived_at)
      select $1, md5('m' || n), channel, md5('m' || thread), '', 'user' || n % 1000, at, at, 0, '', 60, '{}', 0,
        now() - interval '9 days'
      from (select n, n - n % 4 as thread,
          'channel' || case when n <= $2 * 0.3 then 1 else 2 + (n - $2 * 0.3)::bigint * (${READ} - 1) / ($2 * 0.7 + 1)::bigint end as channel,
          extract(epoch from now())::bigint * 1000 - (case when (n - n % 4) % 20 = 0 then 400 else 200 end
            + abs(hashtext((n - n % 4)::text)) % 90) * 86400000::bigint as at
        from generate_series(1, $2::int) n) as m`,
    ({ id, messages }) => [id, messages],
  ],
  [
    `insert into connected_orders (id, server_id, team_id, state, opened_at, closed_at, rows, threads, digest)
      select 'benchorder' || lpad(n::text, 16, '0'), $1, $2, 'done', now(), now(), 0, 0, ''
      from generate_series(0, $3::int - 1) n`,
    ({ id, team, orders }) => [id, team.id, orders],
  ],
  [
    `insert into connected_order_rows (order_id, id, channel_id, thread_id, created_at, outcome)
      select $1, md5('r' || n), 'channel1', md5('r' || n), 0, 'gone' from generate_series(1, $2::int) n`,
    ({ orderId, orderRows }) => [orderId, orderRows],
  ],
];

/** Fills a connection of the team, unless it has been filled. */
export async function fillConnection({ pool }: BenchDatabase, team: Team, isQuick: boolean): Promise<Connection> {
  const connection = { id: ID, team, orderId: ORDER_ID, ...(isQuick ? SIZES.quick : SIZES.whole) };
  const { rows } = await pool.query(
    `select count(*)::int as messages from connected_messages m join connected_teams t on t.server_id = m.server_id
      where t.team_id = $1`,
    [team.id],
  );
  if (rows[0].messages === connection.messages) return connection;
  await pool.query('delete from connected_servers where id = $1', [ID]);
  for (const [text, values] of STATEMENTS) await pool.query(text, values(connection));
  const tables = 'connected_users, connected_channels, connected_messages, connected_orders, connected_order_rows';
  await pool.query(`vacuum (analyze) ${tables}`);
  return connection;
}
