import { sql } from 'kysely';
import { sealSecret } from '#features/sso/connection/client-secret.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import { channel, file, message, record, serviceToken } from '#testing/workspace/content.ts';
import { createStartedImport } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { failedDelivery } from '#testing/workspace/integrations.ts';
import { useChallenge } from '#workspace/access/factors/passkeys.store.ts';
import { keepKeys } from '#workspace/audit/audit-keys.ts';

/** Text that is difficult for row formats. */
const ODD = 'tab\t, line\n, \\backslash\\N, "quotes", Zoë 🦊, \u202e';

const now = new Date().toISOString();

/** Values of columns that must have one and aren't named. */
const FILLED: Record<string, unknown> = {
  text: ODD,
  integer: 0,
  bigint: 0,
  smallint: 0,
  boolean: false,
  ARRAY: [],
  jsonb: {},
  date: now,
  'timestamp with time zone': now,
};

async function insert(node: TestApp, table: string, row: Record<string, unknown>): Promise<void> {
  const { rows: columns } = await sql<{ name: string; type: string }>`select column_name as name, data_type as type
    from information_schema.columns where table_schema = 'public' and table_name = ${table}
      and is_nullable = 'NO'`.execute(node.db);
  const filled = Object.fromEntries(columns.map(({ name, type }) => [name, FILLED[type]]));
  await sql`insert into ${sql.table(table)} select * from jsonb_populate_record(null::${sql.table(table)},
    to_jsonb(${JSON.stringify({ ...filled, ...row })}::jsonb))`.execute(node.db);
}

export async function fillEveryTable(node: TestApp): Promise<{ teamId: string; file: string | null }> {
  const team = await createTeamWithMembers(node);
  const open = await channel(node, team.id, { members: [team.member.id] });
  await message(node, team.id, { channel: open, text: ODD });
  const kept = await file(node, team.id, { data: 'The minutes', name: ODD.slice(0, 20) });
  await record(node, team.id, { kind: 'voicemail', data: new Uint8Array([0, 255, 10, 92, 46]) });
  await serviceToken(node, team.id);
  const importId = await createStartedImport(node, { teamId: team.id, actorId: team.owner.id, ended: true });
  await failedDelivery(node, team.id, { id: open.id, name: 'Open' });
  await totpFactor(node, team.member.id);
  await passkey(node, team.member.id, 'http://steward.test');
  await inTransaction(node.db, (trx) => useChallenge(trx, ODD));
  await keepKeys(node.db, node.deps.secrets);
  const places = { team, open: open.id, importId, blob: kept.blob, holdId: newId() };
  const content = [...listContent(places), ...listConnected(places)];
  for (const [table, row] of [...content, ...listInactivity(places), ...listSignIn(node, places), ...listAudit()])
    await insert(node, table, { team_id: team.id, ...row });
  const integration = await node.db.selectFrom('integrations').select('id').executeTakeFirstOrThrow();
  for (const values of [
    sql`integration_channels values (${team.id}, ${integration.id}, ${open.id}, 'Open')`,
    sql`known_addresses values (${team.owner.id}, '192.0.2.7')`,
    sql`known_devices values (${team.owner.id}, ${ODD})`,
    sql`pictures values (${team.owner.id}, ${Buffer.from([0, 255, 10, 92, 46])})`,
  ])
    await sql`insert into ${values} on conflict do nothing`.execute(node.db);
  return { teamId: team.id, file: kept.blob };
}

interface Places {
  team: TestTeam;
  open: string;
  importId: string;
  blob: string | null;
  holdId: string;
}

type Row = [table: string, row: Record<string, unknown>];

function listContent({ team, open, importId, blob, holdId }: Places): Row[] {
  const [runId, joinId] = [newId(), newId()];
  const run = { kind: 'files', origin: 'night', clock: 'own', state: 'finished', restore_state: '', ended_at: now };
  return [
    ['backdated_items', { item_id: newId() }],
    ['retention_policies', { kind: 'files', rule: { unit: ODD } }],
    ['retention_runs', { id: runId, ...run, bytes: 9_007_199_254_740_991, recoverable_days: 7 }],
    ['retention_recovery', { days: 3 }],
    ['retention_nights', { night: '2026-01-31' }],
    ['retention_archives', { run_id: runId, number: 1, bytes: 1, items: 1, blob }],
    ['archived_blobs', { run_id: runId, number: 1, blob }],
    ['holds', { id: holdId, settings: ['files'], version: 1, has_people: true, has_channels: true, run_id: runId }],
    ['hold_people', { hold_id: holdId, person_id: team.member.id }],
    ['hold_channels', { hold_id: holdId, channel_id: open }],
    ['hold_direct_channels', { hold_id: holdId, channel_id: open }],
    ['hold_items', { hold_id: holdId, item_id: newId() }],
    ['default_channels', { channel_id: open }],
    ['channel_joins', { id: joinId, channel_ids: [open, ODD], ended_at: now, source: 'defaults' }],
    ['channel_joins', { id: newId(), channel_ids: [open, ODD], ended_at: now, source: 'groups' }],
    ['directory_import_changes', { import_id: importId, entry_id: newId(), before: { name: ODD }, revision: 1 }],
  ];
}

/** As after a restore, which ends tokens, orders and permits. */
function listConnected({ holdId, team }: Places): Row[] {
  const [server_id, order_id] = [newId(), newId()];
  const ended = { state: 'done', closed_at: now };
  const person = { user_id: ODD };
  return [
    ['connected_servers', { id: server_id, token_hash: `ended:${server_id}` }],
    ['connected_teams', { server_id, remote_id: ODD, accepted_at: now, default_channel_ids: [ODD] }],
    ['connected_users', { server_id, roles: [ODD], team_ids: [ODD] }],
    ['connected_links', { server_id, ...person, person_id: team.member.id, linked_at: now }],
    ['connected_channels', { server_id, type: 'O', read_only: 'slow' }],
    ['connected_messages', { server_id, ...person, file_ids: [ODD], file_sizes: [1] }],
    ['connected_lists', { server_id, kind: 'users' }],
    ['connected_rules', { server_id, kind: 'public_channels', rule: { unit: ODD } }],
    ['connected_orders', { id: order_id, server_id, ...ended }],
    ['connected_permits', { id: newId(), order_id, server_id, row_ids: [ODD], closed_at: now }],
    ['connected_order_rows', { order_id, outcome: '' }],
    ['connected_work', { server_id, id: newId(), ...person, outcome: '' }],
    ['hold_connected_users', { hold_id: holdId, server_id, ...person }],
    ['hold_connected_channels', { hold_id: holdId, server_id }],
  ];
}

function listInactivity({ team }: Places): Row[] {
  const person = { person_id: team.member.id };
  const ids = { asked_ids: [ODD], warned_ids: [ODD], reminded_ids: [ODD], deactivated_ids: [ODD] };
  const tokens = { first_token_hash: newId(), second_token_hash: newId() };
  return [
    ['activity_sources', { kind: 'reports' }],
    ['inactivity_rules', { source: 'reports', days: 90 }],
    ['inactivity_exceptions', { ...person, until: '2027-01-31' }],
    ['inactivity_warnings', { ...person, warned_on: '2026-01-31', reminded_on: '2026-02-11', ...tokens }],
    ['inactivity_nights', { night: '2026-01-31', state: 'done', ...ids, deactivated_times: [1], undone_at: now }],
  ];
}

function listSignIn(node: TestApp, { team, open }: Places): Row[] {
  const [connectionId, groupId, scimUserId] = [newId(), newId(), newId()];
  const person = { person_id: team.member.id };
  const sso = { issuer: 'https://id.steward.example', client_secret: sealSecret(node.deps.secrets, 'a secret') };
  const provisioned = { emails: [{ value: ODD }], addresses: [ODD] };
  return [
    ['team_security', { require_mfa: 'none', networks: [ODD] }],
    ['break_glass_owners', { person_id: team.owner.id }],
    ['invitation_links', { id: newId(), token_hash: newId(), revoked_at: now, max_uses: 9, uses: 3, domains: [ODD] }],
    ['barred_addresses', {}],
    ['former_members', { person_id: newId(), email: 'gone@example.test' }],
    ['erasures', { person_id: newId(), code: '7F3A', account: 'kept', step: 1, ended_at: now }],
    ['sign_ins', { id: newId(), person_id: team.owner.id, outcome: 'ok', method: 'password', address: '' }],
    ['sso_connections', { id: connectionId, ...sso, group_roles: { [ODD]: 'team_user' }, default_role: 'team_user' }],
    ['sso_domains', { id: newId(), domain: `${connectionId}.example`, verified_at: now }],
    ['sso_identities', { ...person, connection_id: connectionId }],
    ['sso_transactions', { token_hash: connectionId, connection_id: connectionId }],
    ['sso_logouts', { connection_id: connectionId }],
    ['scim_tokens', { id: newId(), token_hash: newId(), created_by: team.owner.id }],
    ['scim_users', { id: scimUserId, ...person, ...provisioned }],
    ['scim_groups', { id: groupId, version: 1 }],
    ['scim_group_members', { group_id: groupId, user_id: scimUserId }],
    ['group_channels', { group_id: groupId, channel_id: open }],
    ['scim_log', { id: newId(), status: 201 }],
  ];
}

const listAudit = (): Row[] => [
  ['audit_pending', { event_id: newId() }],
  ['audit_chain', { position: 1, number: 1, event_id: newId() }],
  ['audit_heads', { count: 1 }],
  ['audit_server_head', { id: true, number: 1 }],
  ['audit_sink', { id: true, number: 1, holder: ODD, held_until: now }],
  ['audit_events', { id: newId(), action: 'users.edited', details: { text: ODD }, address: '', request_id: 'job' }],
];
