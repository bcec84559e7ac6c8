import assert from 'node:assert/strict';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newBlobKey } from '#platform/blobs/blobs.ts';
import { newId } from '#platform/database/ids.ts';
import { DEAD_LETTERS } from '#platform/jobs/jobs.ts';
import { cleanUp } from '#testing/app/clean-up.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { maintainQueue } from '#testing/database/maintain-queue.ts';
import { team, user } from '#testing/workspace/factories.ts';
import { listTables } from '#testing/workspace/snapshot-tables.ts';

/** Whom and what rows are about. */
interface About {
  id: string;
  teamId: string;
  userId: string;
  /** When it happened, in SQL. */
  at: RawBuilder<unknown>;
}

/** A table that use alone makes longer: ages of a row that goes and of one that stays, and how to add one. */
interface CleanedUpTable {
  ages: [old: string, young: string];
  add: (about: About) => RawBuilder<unknown>[];
}

const anImport = ({ id, teamId, userId, at }: About) =>
  sql`insert into directory_imports (team_id, id, file_name, state, started_by, started_at)
    values (${teamId}, ${id}, 'a.csv', 'finished', ${userId}, ${at})`;
const anIntegration = ({ id, teamId }: About) =>
  sql`insert into integrations (team_id, id, code, state, domain, username, authentication, path_hash, message)
    values (${teamId}, ${id}, ${id}, 'off', 'x', 'x', 1, ${id}, '')`;
const aDelivery = ({ id, teamId, at }: About) =>
  sql`insert into deliveries (team_id, id, integration_id, invocation_id, headers, body, state, received_at)
    values (${teamId}, ${id}, ${id}, ${id}, '{}', '', 'posted', ${at})`;

const aConnection = ({ teamId }: About) =>
  sql`insert into sso_connections (team_id, id, name, issuer, client_id) values (${teamId}, ${teamId}, 'x', 'x', 'x')
    on conflict do nothing`;

const aServer = ({ id }: About) =>
  sql`insert into connected_servers (id, provider, name, token_hash) values (${id}, 'x', 'x', ${id})`;
const anOrder = ({ id, teamId, at }: About) =>
  sql`insert into connected_orders (id, server_id, team_id, state, closed_at, rows, threads, digest)
    values (${id}, ${id}, ${teamId}, 'done', ${at}, 1, 1, '')`;

const CLEANED_UP_TABLES: Readonly<Record<string, CleanedUpTable>> = {
  sessions: {
    ages: ['25 hours', '1 minute'],
    add: ({ id, userId, at }) => [
      sql`insert into sessions (id, person_id, token_hash, created_at, active_at)
        values (${id}, ${userId}, ${id}, ${at}, ${at})`,
    ],
  },
  known_addresses: {
    ages: ['91 days', '89 days'],
    add: ({ id, userId, at }) => [sql`insert into known_addresses values (${userId}, ${id}, ${at})`],
  },
  known_devices: {
    ages: ['366 days', '364 days'],
    add: ({ id, userId, at }) => [sql`insert into known_devices values (${userId}, ${id}, ${at})`],
  },
  used_challenges: {
    ages: ['11 minutes', '9 minutes'],
    add: ({ id, at }) => [sql`insert into used_challenges values (${id}, ${at})`],
  },
  links: {
    ages: ['8 days', '6 days'],
    add: ({ id, userId, at }) => [
      sql`insert into links (token_hash, kind, person_id, expires_at) values (${id}, 'reset', ${userId}, ${at})`,
    ],
  },
  idempotency_keys: {
    ages: ['25 hours', '23 hours'],
    add: ({ id, userId, at }) => [
      sql`insert into idempotency_keys (person_id, key, request_hash, created_at) values (${userId}, ${id}, '', ${at})`,
    ],
  },
  notices: {
    ages: ['31 days', '29 days'],
    add: ({ id, teamId, at }) => [
      sql`insert into notices (team_id, id, kind, sealed, recipients, created_at)
        values (${teamId}, ${id}, 'x', '', '{}', ${at})`,
    ],
  },
  mails: {
    ages: ['31 days', '6 days'],
    add: ({ id, at }) => [
      sql`insert into mails (id, kind, recipient, state, created_at) values (${id}, 'x', 'x', 'failed', ${at})`,
    ],
  },
  sign_ins: {
    ages: ['91 days', '89 days'],
    add: ({ teamId, id, at }) => [
      sql`insert into sign_ins values (${teamId}, ${id}, ${id}, ${at}, 'ok', 'password', '', '', '')`,
    ],
  },
  invitation_counts: {
    ages: ['25 hours', '23 hours'],
    add: ({ id, at }) => [sql`insert into invitation_counts values (${id}, ${at}, 1)`],
  },
  invitation_links: {
    ages: ['31 days', '29 days'],
    add: ({ teamId, id, userId, at }) => [
      sql`insert into invitation_links (team_id, id, name, token_hash, created_by, expires_at, max_uses, domains)
        values (${teamId}, ${id}, '', ${id}, ${userId}, ${at}, 1, '{}')`,
    ],
  },
  inactivity_nights: {
    ages: ['91 days', '89 days'],
    add: ({ teamId, at }) => [
      sql`insert into inactivity_nights (team_id, night, state, members, started_at)
        values (${teamId}, date '2020-01-01' + floor(random() * 100000)::int, 'done', 1, ${at})`,
    ],
  },
  throttles: {
    ages: ['1 minute', '-1 hour'],
    add: ({ id, at }) => [sql`insert into throttles values (${id}, 1, extract(epoch from ${at}) * 1000)`],
  },
  signups: {
    ages: ['1 second', '-1 hour'],
    add: ({ id, at }) => [
      sql`insert into signups (token_hash, owner_email, team_name, invitees, expires_at)
        values (${id}, 'x', 'x', '{}', ${at})`,
    ],
  },
  sso_transactions: {
    ages: ['1 second', '-1 minute'],
    add: (about) => [
      aConnection(about),
      sql`insert into sso_transactions (token_hash, connection_id, sealed, return_path, is_reauth, expires_at)
        values (${about.id}, ${about.teamId}, '', '/', false, ${about.at})`,
    ],
  },
  sso_logouts: {
    ages: ['1 second', '-1 minute'],
    add: (about) => [
      aConnection(about),
      sql`insert into sso_logouts values (${about.teamId}, ${about.id}, ${about.at})`,
    ],
  },
  compliance_access: {
    ages: ['1 second', '-1 hour'],
    add: (about) => [
      sql`insert into memberships (team_id, person_id, roles, name_key, search, create_at)
        values (${about.teamId}, ${about.userId}, '{team_user}', 'x', 'x', 1) on conflict do nothing`,
      sql`insert into channels (team_id, id, type, name, display_name, create_at, update_at)
        values (${about.teamId}, ${about.id}, 'P', ${about.id}, 'x', 1, 1)`,
      sql`insert into compliance_access (team_id, channel_id, person_id, granted_by, reason, expires_at)
        values (${about.teamId}, ${about.id}, ${about.userId}, ${about.userId}, 'x', ${about.at})`,
    ],
  },
  backdated_items: {
    ages: ['25 hours', '23 hours'],
    add: ({ teamId, id, at }) => [sql`insert into backdated_items values (${teamId}, ${id}, ${at})`],
  },
  loose_blobs: {
    ages: ['61 minutes', '59 minutes'],
    add: ({ teamId, at }) => [sql`insert into loose_blobs values (${teamId}, ${newBlobKey(teamId, 'file')}, ${at})`],
  },
  directory_imports: {
    ages: ['31 days', '29 days'],
    add: (about) => [anImport(about)],
  },
  directory_import_changes: {
    ages: ['31 days', '29 days'],
    add: (about) => [
      anImport(about),
      sql`insert into directory_import_changes values (${about.teamId}, ${about.id}, ${about.id}, null, 1, null)`,
    ],
  },
  privacy_exports: {
    ages: ['1 second', '-1 hour'],
    add: ({ teamId, id, userId, at }) => [
      sql`insert into privacy_exports (team_id, id, person_id, requested_by, state, expires_at)
        values (${teamId}, ${id}, ${userId}, ${userId}, 'done', ${at})`,
    ],
  },
  scim_log: {
    ages: ['31 days', '29 days'],
    add: ({ teamId, id, at }) => [
      sql`insert into scim_log (team_id, id, at, method, path, request, status, effect, request_id)
        values (${teamId}, ${id}, ${at}, 'POST', '/', '', 201, '', '')`,
    ],
  },
  user_jobs: {
    ages: ['31 days', '29 days'],
    add: ({ id, teamId, userId, at }) => [
      sql`insert into user_jobs (team_id, id, action, started_by, user_ids, joined_until, state, total, ended_at)
        values (${teamId}, ${id}, 'revoke', ${userId}, '{}', 0, 'done', 0, ${at})`,
    ],
  },
  deliveries: {
    ages: ['31 days', '29 days'],
    add: (about) => [anIntegration(about), aDelivery(about)],
  },
  delivery_channels: {
    ages: ['31 days', '29 days'],
    add: (about) => [
      anIntegration(about),
      aDelivery(about),
      sql`insert into delivery_channels (team_id, delivery_id, channel_id, channel_name)
        values (${about.teamId}, ${about.id}, ${about.id}, 'x')`,
    ],
  },
  connected_lists: {
    ages: ['31 days', '29 days'],
    add: (about) => [
      aServer(about),
      sql`insert into connected_lists (server_id, id, kind, began_at) values (${about.id}, ${about.id}, 'users', ${about.at})`,
    ],
  },
  connected_work: {
    ages: ['31 days', '29 days'],
    add: (about) => [
      aServer(about),
      sql`insert into connected_work (server_id, id, team_id, remote_team_id, user_id, action, asked_at)
        values (${about.id}, ${about.id}, ${about.teamId}, 'x', 'x', 'deactivate', ${about.at})`,
    ],
  },
  connected_orders: { ages: ['731 days', '700 days'], add: (about) => [aServer(about), anOrder(about)] },
  connected_permits: {
    ages: ['731 days', '700 days'],
    add: (about) => [
      aServer(about),
      anOrder(about),
      sql`insert into connected_permits (id, order_id, server_id, channel_id, row_ids, is_whole)
        values (${about.id}, ${about.id}, ${about.id}, 'x', '{}', true)`,
    ],
  },
  connected_order_rows: {
    ages: ['31 days', '29 days'],
    add: (about) => [
      aServer(about),
      anOrder(about),
      sql`insert into connected_order_rows (order_id, id, channel_id, thread_id, created_at)
        values (${about.id}, 'x', 'x', 'x', 0)`,
    ],
  },
};

/** Tables without automatic cleanup, and why they need none. */
const KEPT: Readonly<Record<string, string>> = {
  people: 'one row a person; those without a team stay, since what they did names them',
  memberships: 'one row a person or invitation, and team',
  member_counts: 'added up every minute to a row a team and group of members',
  former_members: 'one row a person who left a team, until it erases them',
  erasures: 'one row a person whom a team erased: what it calls them',
  activity_sources: 'two rows a team at most',
  inactivity_rules: 'one row a team at most',
  inactivity_exceptions: 'one row a member at most',
  inactivity_warnings: 'one row a member at most, until they are active or deactivated',
  barred_addresses: 'one row a person who declined an invitation or was erased, and team',
  totp_factors: 'one row a person at most',
  recovery_codes: 'ten rows a person at most',
  passkeys: 'twenty rows a person at most',
  presence: 'one row a person',
  pictures: 'one row a person at most',
  set_up_links: 'one row',
  teams: 'one row a team',
  team_security: 'one row a team at most',
  break_glass_owners: 'one row an owner at most',
  signed_out_sessions: 'one row a session and team at most; they end with the session',
  audit_events: 'the audit log, which is never shortened',
  audit_chain: 'one row a row of the audit log',
  audit_heads: 'one row a team',
  audit_keys: 'one row a SECRET_KEY that there was',
  audit_pending: 'emptied every second, by adding its rows to the chain',
  audit_server_head: 'one row',
  audit_sink: 'one row',
  channels: 'what a team made',
  channel_members: 'one row a channel and person',
  default_channels: 'what an admin chose',
  group_channels: 'what an owner chose',
  channel_joins: 'two rows a team: the next takes the place of the last',
  messages: 'content, which retention rules govern',
  files: 'content, which retention rules govern',
  records: 'content, which retention rules govern',
  sso_connections: 'one row a team',
  sso_domains: 'what an owner entered',
  sso_identities: 'one row a member at most',
  service_tokens: 'what an admin made and removes',
  scim_tokens: 'what an owner made and removes',
  scim_users: 'one row a member at most, and inactive users until the identity provider removes them',
  scim_groups: 'what the identity provider made and removes',
  scim_group_members: 'one row a group and user',
  retention_policies: 'one row a team and kind',
  retention_runs: 'the proof of what was deleted, ten rows a team and night at most',
  retention_nights: 'one row a team',
  retention_recovery: 'one row a team',
  retention_archives: 'one row an object of an archive, until the archive expires',
  archived_blobs: 'one row a content in an archive, until the archive expires',
  holds: 'what an admin kept from deletion, with the proof of its release',
  hold_people: 'what a hold names',
  hold_channels: 'what a hold names',
  hold_direct_channels: 'one row a hold and direct channel of the people that it names',
  hold_connected_users: 'what a hold names',
  hold_connected_channels: 'what a hold names',
  connected_servers: 'what the operator connected',
  connected_teams: 'what the operator connected',
  connected_rules: 'one row a team, connected server and kind',
  connected_users: 'one row a user of a connected server',
  connected_links: 'one row a user of a connected server and team',
  connected_channels: 'one row a channel of a connected server',
  connected_messages: 'one row a message of a connected server, which its retention rules govern',
  hold_items: 'items that a run deleted and an owner restored',
  directory_entries: 'what a team entered',
  integrations: 'one row a team and vendor',
  integration_channels: 'what an admin chose',
};

let node: TestApp;
let teamId: string;
let userId: string;

beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  userId = (await user(node)).id;
});

afterAll(() => node[Symbol.asyncDispose]());

async function count(table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(node.db);
  return rows[0]?.n ?? 0;
}

test('every table is shortened by a job, or may stay as long as it is for a reason', async () => {
  const named = [...Object.keys(CLEANED_UP_TABLES), ...Object.keys(KEPT)].sort();
  assert.deepEqual(named, await listTables(node));
});

for (const [table, { ages, add }] of Object.entries(CLEANED_UP_TABLES)) {
  test(`${table} is shortened by the scheduled cleanup: the old goes and the young stays`, async () => {
    const before = await count(table);
    const add1 = async (age: string) => {
      const at = sql`(now() - ${sql.lit(age)}::interval)`;
      for (const statement of add({ id: newId(), teamId, userId, at })) await statement.execute(node.db);
    };
    for (let at = 0; at < 3; at += 1) await add1(ages[0]);
    await add1(ages[1]);
    assert.equal(await count(table), before + 4);
    for (const _ of ['once', 'and again']) {
      await cleanUp(node);
      assert.equal(await count(table), before + 1);
    }
  });
}

test('jobs that are done, that failed and that are dead letters are forgotten by the queue itself', async () => {
  const jobs = ['completed', 'failed', 'created'];
  const names = ['mail.send', 'mail.send', DEAD_LETTERS];
  for (const age of ['8 days', '6 days'])
    await sql`insert into pgboss.job (id, name, data, state, created_on, completed_on, keep_until)
      select gen_random_uuid(), name, '{"of":"this test"}', state::pgboss.job_state, now() - ${sql.lit(age)}::interval,
        case when state <> 'created' then now() - ${sql.lit(age)}::interval end,
        now() - ${sql.lit(age)}::interval + interval '7 days'
      from unnest(${jobs}::text[], ${names}::text[]) as j (state, name)`.execute(node.db);
  await maintainQueue(node);
  const { rows } =
    await sql`select state::text, count(*)::int as count from pgboss.job where data = '{"of":"this test"}'
    group by 1 order by 1`.execute(node.db);
  assert.deepEqual(
    rows,
    jobs.toSorted().map((state) => ({ state, count: 1 })),
  );
});
