// Which tables belong to a team, so that a cluster can keep a team's rows together: docs/scale.md says what for.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';

/** Tables that every machine of a cluster would have a copy of: small, or referenced by rows of every team. */
const REFERENCE: Readonly<Record<string, string>> = {
  teams: 'a row for each team, which every team-owned table refers to',
  connected_servers: 'a row for each connection, which several teams can share',
  people: 'a person belongs to any number of teams and signs in before a team is known',
};

/** Tables of the whole server: one machine keeps them. */
const SERVER_WIDE: Readonly<Record<string, string>> = {
  totp_factors: 'a factor is of a person',
  passkeys: 'likewise',
  recovery_codes: 'likewise',
  used_challenges: 'a challenge is signed before it is known by whom',
  pictures: 'a picture is of a person, and is fetched apart from lists',
  sessions: 'a sign-in is of a person, and its cookie does not name a team',
  signed_out_sessions: 'as sessions',
  known_addresses: 'where a person signed in from, whatever team they looked at',
  known_devices: 'browsers that a person signed in with, likewise',
  presence: 'a person is online in all their teams',
  links: 'found by the hash in a mailed address; a password is of a person',
  sso_transactions: 'found by the hash in a cookie, before the team is known',
  sso_logouts: 'kept by the connection, whose team its address does not name',
  signups: 'a request for a team that is not there yet',
  set_up_links: 'the one link that creates the first team',
  mails: 'a password reset is about a person and no team; the queue that sends them is one, too',
  idempotency_keys: 'a person’s own keys, also of calls that are about no team',
  throttles: 'counters by address and by email',
  invitation_counts: 'the limit of an address is over all teams',
  connected_users: 'of a connection, which several teams can share',
  connected_teams: 'as connected_users',
  connected_links: 'as connected_users',
  connected_channels: 'as connected_users',
  connected_messages: 'as connected_users',
  connected_lists: 'as connected_users',
  connected_rules: 'as connected_users',
  connected_orders: 'as connected_users',
  connected_order_rows: 'as connected_users',
  connected_permits: 'as connected_users',
  connected_work: 'as connected_users',
  audit_keys: 'the key of a SECRET_KEY is for all teams',
  audit_server_head: 'the end of the chain over all teams',
  audit_sink: 'the sink gets the rows of all teams in one order',
};

/** Tables of teams that break a rule, each with the change that a cluster would need. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'unique service_tokens_token_hash_key': 'a token is looked for before its team is known: a lookup table of hashes',
  'unique scim_tokens_token_hash_key': 'as service_tokens_token_hash_key',
  'unique invitation_links_token_hash_key': 'as service_tokens_token_hash_key',
  'unique inactivity_warnings_first_token_hash_key': 'as service_tokens_token_hash_key',
  'unique inactivity_warnings_second_token_hash_key': 'as service_tokens_token_hash_key',
  'unique integrations_path_hash_key': 'an address of deliveries does not name its team: a lookup table of hashes',
  'unique sso_connections_id_key': 'the address of a sign-in does not name its team: a lookup table of ids',
  'unique sso_domains_proved': 'one team proves a domain: a table of domains for all teams',
  'reference sso_identities_connection_id_fkey': 'the connection is of the same team, whose id would join the key',
  'unique sso_identities_connection_id_issuer_subject_key':
    'the connection names the team, whose id would join the key',
  'trigger audit_events_final':
    'a cluster requires a setting that allows triggers; the rule is the same on every shard',
  'trigger audit_chain_final': 'as audit_events_final',
  'trigger count_added_members': 'counts the rows of a statement, which are on one shard with their counts',
  'trigger count_changed_members': 'as count_added_members',
  'trigger count_removed_members': 'as count_added_members',
  'trigger end_compliance_access': 'deletes rows of the member whose row is written, on the shard of their team',
  'trigger fold_entry_search': 'changes only the row that is written, on its own shard',
  'trigger fold_membership_search': 'changes only the row that is written, on its own shard',
  'trigger hold_joined_channels': 'writes rows beside the new members, on the shard of their team',
  'trigger keep_scim_id': 'writes a row beside the member whose row is written, on the shard of their team',
  'trigger stop_scim_tokens': 'as keep_scim_id',
  'trigger stop_scim_tokens_of_removed': 'as keep_scim_id',
  'trigger forget_break_glass_owner': 'as keep_scim_id',
  'trigger note_former_member': 'writes a row beside the member who leaves, on the shard of their team',
  'trigger note_returned_member': 'as note_former_member',
};

/** Tables of tools. They are not ours to lay out, and stay on the machine that coordinates. */
const FOREIGN = ['kysely_migration', 'kysely_migration_lock'];

let node: TestApp;
beforeAll(async () => {
  node = await startApp({ work: false });
});
afterAll(() => node[Symbol.asyncDispose]());

async function listTables(db: TestApp['db']): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`.execute(db);
  return rows.map(({ name }) => name).filter((name) => !FOREIGN.includes(name));
}

const isElsewhere = (table: string) => REFERENCE[table] !== undefined || SERVER_WIDE[table] !== undefined;

async function teamOwned(db: TestApp['db']): Promise<string[]> {
  return (await listTables(db)).filter((table) => !isElsewhere(table));
}

/** Everything that would keep the team-owned tables from being laid out by team, as the catalogue tells it. */
async function shortfalls(db: TestApp['db']): Promise<string[]> {
  const owned = await teamOwned(db);
  const { rows } = await sql<{ what: string }>`
    with owned as (
      select c.oid, c.relname, a.attnum as team, coalesce(a.attnotnull, false) as is_required
      from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attname = 'team_id'
      where c.relnamespace = 'public'::regnamespace and c.relname = any(${owned})
    )
    select 'column ' || relname || '.team_id' as what from owned where not is_required
    union all
    select 'key ' || relname from owned o
      where not exists (select 1 from pg_index i where i.indrelid = o.oid and i.indisprimary and i.indkey[0] = o.team)
    union all
    select 'unique ' || i.indexrelid::regclass from owned o join pg_index i on i.indrelid = o.oid
      where i.indisunique and not i.indisprimary and not (o.team = any(i.indkey::smallint[]))
    union all
    select 'reference ' || f.conname from owned o join pg_constraint f on f.conrelid = o.oid and f.contype = 'f'
      left join owned target on target.oid = f.confrelid
      where case when target.oid is null then not (f.confrelid::regclass::text = any(${Object.keys(REFERENCE)}))
        else not exists (select 1 from unnest(f.conkey, f.confkey) as pair (ours, theirs)
          where pair.ours = o.team and pair.theirs = target.team) end
    union all
    select 'trigger ' || t.tgname from owned o join pg_trigger t on t.tgrelid = o.oid where not t.tgisinternal
    order by 1`.execute(db);
  return rows.map(({ what }) => what);
}

test('every table belongs to a team, or says in its list why not', async () => {
  const tables = await listTables(node.db);
  const listed = [...Object.keys(REFERENCE), ...Object.keys(SERVER_WIDE)];
  assert.deepEqual(
    listed.filter((name) => !tables.includes(name)),
    [],
    'lists name tables that are not there',
  );
  assert.equal(new Set(listed).size, listed.length);
  assert.ok((await teamOwned(node.db)).length > 15, 'a check that looks at no table is green for the wrong reason');
});

test('a team’s rows can be kept together: keys, unique indexes and references hold its id, but for exceptions with a reason', async () => {
  assert.deepEqual(await shortfalls(node.db), Object.keys(EXCEPTIONS).sort());
});

test('what is found short is found', async () => {
  const planted = [
    'create table planted_a (id text primary key)',
    'create table planted_b (team_id text not null, id text, primary key (id))',
    'create table planted_c (team_id text not null references teams, id text, code text unique, primary key (team_id, id))',
    'create table planted_d (team_id text, id text not null, session text references sessions, primary key (id, team_id))',
    'alter table planted_d add foreign key (id) references planted_b (id)',
  ];
  for (const statement of planted) await sql.raw(statement).execute(node.db);
  const found = (await shortfalls(node.db)).filter((what) => what.includes('planted'));
  for (const table of ['planted_a', 'planted_b', 'planted_c', 'planted_d'])
    await sql.raw(`drop table ${table} cascade`).execute(node.db);
  assert.deepEqual(found, [
    'column planted_a.team_id',
    'key planted_a',
    'key planted_b',
    'key planted_d',
    'reference planted_d_id_fkey',
    'reference planted_d_session_fkey',
    'unique planted_c_code_key',
  ]);
});

test('docs/scale.md names every table in its list, and every exception', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/scale.md'), 'utf8');
  const names = [...Object.keys(REFERENCE), ...Object.keys(SERVER_WIDE), ...Object.keys(EXCEPTIONS)];
  assert.deepEqual(
    names.filter((name) => !page.includes(`\`${name.split(' ').at(-1)}\``)),
    [],
  );
});
