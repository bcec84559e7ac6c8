import { sql } from 'kysely';
import { sealSecret } from '#features/sso/connection/client-secret.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { passkey, totpFactor } from '#testing/factors/factors.ts';
import { channel, file, message, record, serviceToken } from '#testing/workspace/content.ts';
import { createStartedImport } from '#testing/workspace/directory.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { failedDelivery } from '#testing/workspace/integrations.ts';
import { useChallenge } from '#workspace/access/factors/passkeys.store.ts';
import { keepKeys } from '#workspace/audit/audit-keys.ts';

/** Text that is difficult for row formats. */
const ODD = 'tab\t, line\n, \\backslash\\N, "quotes", Zoë 🦊, \u202e';

export async function fillEveryTable(node: TestApp): Promise<{ teamId: string; file: string | null }> {
  const team = await createTeamWithMembers(node);
  const open = await channel(node, team.id, { members: [team.member.id] });
  await message(node, team.id, { channel: open, text: ODD });
  const kept = await file(node, team.id, { data: 'The minutes', name: ODD.slice(0, 20) });
  await record(node, team.id, { kind: 'voicemail', data: new Uint8Array([0, 255, 10, 92, 46]) });
  await serviceToken(node, team.id);
  const importId = await createStartedImport(node, { teamId: team.id, actorId: team.owner.id, ended: true });
  await failedDelivery(node, team.id, { id: open.id, name: 'Open' });
  const insert = (table: string, row: Record<string, unknown>) =>
    sql`insert into ${sql.table(table)} select * from jsonb_populate_record(null::${sql.table(table)},
      to_jsonb(${JSON.stringify({ team_id: team.id, ...row })}::jsonb))`.execute(node.db);
  const now = new Date().toISOString();
  await insert('backdated_items', { item_id: newId(), at: now });
  const at = { started_at: now, ended_at: now, beat_at: now };
  const counts = {
    scanned: 0,
    deleted: 2,
    bytes: 9_007_199_254_740_991,
    failed: 0,
    held: 0,
    restored: 0,
    skipped: 0,
    destroyed_objects: 0,
    destroyed_bytes: 0,
    destroyed_items: 0,
    destroyed_files: 0,
    destroyed_item_bytes: 0,
    recoverable_days: 7,
    restore_state: '',
    restore_note: ODD,
    note: ODD,
    at_clock: 0,
    at_id: '',
  };
  await insert('retention_policies', { kind: 'files', rule: { unit: ODD }, reminded: false, saved_at: now });
  const run = { id: newId(), kind: 'files', origin: 'night', clock: 'own', state: 'finished', cutoff: 5 };
  await insert('retention_runs', { ...run, ...at, ...counts });
  await insert('retention_recovery', { days: 3, waiting_days: 0, effective_at: now, saved_at: now });
  const object = { run_id: run.id, number: 1, bytes: 1, sha256: ODD, items: 1, destroying: false };
  await insert('retention_archives', { ...object, blob: kept.blob });
  await insert('archived_blobs', { run_id: run.id, number: 1, blob: kept.blob });
  const holdId = newId();
  const hold = {
    id: holdId,
    name: ODD,
    reason: ODD,
    settings: ['files'],
    release_reason: ODD,
    created_at: now,
    version: 1,
  };
  await insert('holds', { ...hold, has_people: true, has_channels: true, run_id: run.id });
  await insert('hold_people', { hold_id: holdId, person_id: team.member.id });
  for (const table of ['hold_channels', 'hold_direct_channels'])
    await insert(table, { hold_id: holdId, channel_id: open.id });
  await insert('team_security', { require_mfa: 'none', networks: [ODD] });
  await insert('break_glass_owners', { person_id: team.owner.id, named_at: now });
  await totpFactor(node, team.member.id);
  await passkey(node, team.member.id, 'http://steward.test');
  await inTransaction(node.db, (trx) => useChallenge(trx, ODD));
  await insert('hold_items', { hold_id: holdId, item_id: newId() });
  await insert('retention_nights', { night: '2026-01-31' });
  const link = { id: newId(), name: ODD, token_hash: newId(), created_by: team.owner.id, expires_at: now };
  await insert('invitation_links', { ...link, created_at: now, revoked_at: now, max_uses: 9, uses: 3, domains: [ODD] });
  await insert('activity_sources', { kind: 'reports', began_at: now, heard_at: now });
  const rule = { source: 'reports', days: 90, skips_held: true, skips_provisioned: true, on_since: now };
  await insert('inactivity_rules', rule);
  const excepted = {
    person_id: team.admin.id,
    reason: ODD,
    until: '2027-01-31',
    added_by: team.owner.id,
    added_at: now,
  };
  await insert('inactivity_exceptions', excepted);
  await insert('inactivity_warnings', {
    ...{
      person_id: team.member.id,
      warned_on: '2026-01-31',
      first_mail_id: newId(),
      first_token_hash: newId(),
      first_accepted: true,
    },
    ...{ reminded_on: '2026-02-11', second_mail_id: newId(), second_token_hash: newId(), second_accepted: false },
  });
  await insert('inactivity_nights', {
    ...{ night: '2026-01-31', state: 'done', members: 9, asked_ids: [ODD], warned_ids: [ODD], reminded_ids: [ODD] },
    ...{ deactivated_ids: [ODD], deactivated_times: [1], confirmed_by: team.owner.id, undone_by: team.owner.id },
    ...{ undone_at: now, started_at: now, ended_at: now },
  });
  await insert('barred_addresses', { address_hash: ODD, barred_at: now });
  await insert('default_channels', { channel_id: open.id, channel_name: 'Open' });
  const join = { id: newId(), channel_ids: [open.id, ODD], people_total: 1, people_done: 1, joined: 1, reached: '' };
  await insert('channel_joins', { ...join, ...at, source: 'defaults', removed: 0 });
  await insert('channel_joins', { ...join, ...at, id: newId(), source: 'groups', removed: 0 });
  const integration = await node.db.selectFrom('integrations').select('id').executeTakeFirstOrThrow();
  await insert('directory_import_changes', {
    import_id: importId,
    entry_id: newId(),
    before: { name: ODD },
    revision: 1,
  });
  await sql`insert into integration_channels values (${team.id}, ${integration.id}, ${open.id}, 'Open') on conflict do nothing`.execute(
    node.db,
  );
  await sql`insert into known_addresses values (${team.owner.id}, '192.0.2.7') on conflict do nothing`.execute(node.db);
  await insert('former_members', { person_id: newId(), name: ODD, email: 'gone@example.test', left_at: now });
  await insert('erasures', {
    person_id: newId(),
    code: '7F3A',
    account: 'kept',
    step: 1,
    reached: '',
    ...at,
    touched_at: now,
  });
  await sql`insert into known_devices values (${team.owner.id}, ${ODD}) on conflict do nothing`.execute(node.db);
  await sql`insert into pictures values (${team.owner.id}, ${Buffer.from([0, 255, 10, 92, 46])})`.execute(node.db);
  await sql`insert into sign_ins values (${team.id}, ${newId()}, ${team.owner.id}, now(), 'ok', 'password', '', ${ODD}, '')`.execute(
    node.db,
  );
  const connectionId = newId();
  await insert('sso_connections', {
    id: connectionId,
    name: ODD,
    issuer: 'https://id.steward.example',
    client_id: ODD,
    client_secret: sealSecret(node.deps.secrets, 'a secret'),
    group_roles: { [ODD]: 'team_user' },
    ...{ enabled: true, required: false, jit: false, default_role: 'team_user', group_claim: '', created_at: now },
  });
  await insert('sso_domains', {
    id: newId(),
    domain: `${connectionId}.example`,
    token: 'x',
    created_at: now,
    verified_at: now,
  });
  const identity = { connection_id: connectionId, issuer: ODD, subject: ODD, email: ODD, linked_at: now };
  await insert('sso_identities', { ...identity, person_id: team.member.id });
  const pending = { token_hash: connectionId, connection_id: connectionId, sealed: ODD, return_path: '/', restarts: 0 };
  await insert('sso_transactions', { ...pending, is_reauth: false, has_arrived: false, expires_at: now });
  await insert('sso_logouts', { connection_id: connectionId, jti_hash: ODD, expires_at: now });
  const provisioned = {
    id: newId(),
    person_id: team.member.id,
    user_name: ODD,
    emails: [{ value: ODD }],
    addresses: [ODD],
  };
  await insert('scim_tokens', {
    id: newId(),
    name: ODD,
    token_hash: newId(),
    created_by: team.owner.id,
    created_at: now,
  });
  await insert('scim_users', { ...provisioned, created_at: now, updated_at: now });
  const group = { id: newId(), display_name: ODD, version: 1, created_at: now, updated_at: now };
  await insert('scim_groups', group);
  await insert('scim_group_members', { group_id: group.id, user_id: provisioned.id });
  await insert('group_channels', { group_id: group.id, channel_id: open.id });
  const logged = {
    id: newId(),
    at: now,
    method: 'POST',
    path: ODD,
    request: ODD,
    status: 201,
    effect: ODD,
    request_id: '',
  };
  await insert('scim_log', logged);
  await fillConnectedServer(insert, { now, holdId });
  await insert('audit_pending', { event_id: newId() });
  await insert('audit_chain', { position: 1, number: 1, event_id: newId(), key_id: 'x', content: ODD, digest: 'x' });
  await insert('audit_heads', { count: 1, digest: 'x', earlier: 0, key_id: 'x', seal: ODD });
  await insert('audit_server_head', { id: true, number: 1, digest: 'x', key_id: 'x', seal: ODD });
  await keepKeys(node.db, node.deps.secrets);
  await insert('audit_sink', { id: true, number: 1, sent_at: now, holder: ODD, held_until: now });
  await sql`insert into audit_events (team_id, id, action, details, address, request_id)
    values (${team.id}, ${newId()}, 'users.edited', ${JSON.stringify({ text: ODD })}, '', 'job')`.execute(node.db);
  return { teamId: team.id, file: kept.blob };
}

/** As after a restore, which ends the token, orders and permits. */
async function fillConnectedServer(
  insert: (table: string, row: Record<string, unknown>) => Promise<unknown>,
  { now, holdId }: { now: string; holdId: string },
): Promise<void> {
  const server_id = newId();
  const checks = { checks: [{ name: ODD }], rehearsal: [], rehearsal_passed: false };
  const server = {
    id: server_id,
    provider: ODD,
    name: ODD,
    token_hash: `ended:${server_id}`,
    created_at: now,
    ...checks,
  };
  await insert('connected_servers', { ...server, bridge: ODD, server_version: ODD });
  const mapping = { server_id, remote_id: ODD, direct_messages: true, night: '', default_channel_ids: [ODD] };
  await insert('connected_teams', { ...mapping, accepted_at: now });
  const teams = { team_ids: [ODD], left_team_ids: [], is_bot: false, owns_bots: false, is_protected: false };
  const user = { server_id, id: ODD, username: ODD, name: ODD, email: ODD, roles: [ODD], ...teams, deactivated_at: 0 };
  await insert('connected_users', user);
  const channel = { server_id, id: ODD, remote_team_id: ODD, type: 'O', name: ODD, member_ids: [], archived_at: 0 };
  await insert('connected_channels', { ...channel, arrived_at: now, hint: ODD, messages: 1 });
  const ids = { server_id, id: ODD, channel_id: ODD, thread_id: ODD, original_id: '', user_id: ODD };
  const message = { ...ids, created_at: 1, active_at: 1, deleted_at: 0, kind: ODD, file_ids: [ODD], arrived_at: now };
  await insert('connected_messages', message);
  await insert('connected_lists', {
    server_id,
    id: ODD,
    kind: 'users',
    channel_id: '',
    began_at: now,
    next_page: 0,
    taken: 0,
  });
  await insert('connected_rules', { server_id, kind: 'public_channels', rule: { unit: ODD }, reminded: false });
  const order_id = newId();
  const counts = { rows: 1, threads: 1, gone: 0, orphans: 0, kept_by: {} };
  const texts = { digest: ODD, proof: ODD, server_version: ODD, reason: ODD };
  await insert('connected_orders', {
    id: order_id,
    server_id,
    state: 'done',
    opened_at: now,
    closed_at: now,
    ...counts,
    ...texts,
  });
  const permit = {
    id: newId(),
    order_id,
    server_id,
    channel_id: ODD,
    row_ids: [ODD],
    is_whole: true,
    issued_at: now,
    closed_at: now,
  };
  await insert('connected_permits', permit);
  const row = { order_id, id: ODD, channel_id: ODD, thread_id: ODD, created_at: 1, outcome: '', reason: '' };
  await insert('connected_order_rows', row);
  const work = { server_id, id: newId(), remote_team_id: ODD, user_id: ODD, action: 'deactivate', channel_ids: [] };
  await insert('connected_work', { ...work, asked_at: now, outcome: '', detail: '' });
  await insert('hold_connected_users', { hold_id: holdId, server_id, user_id: ODD });
  await insert('hold_connected_channels', { hold_id: holdId, server_id, channel_id: ODD });
}
