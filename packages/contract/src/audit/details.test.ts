import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { AUDIT_ACTIONS, type AuditAction } from './catalog.ts';
import { AUDIT_DETAILS, type AuditDetails, fromStoredDetails, toStoredDetails } from './details.ts';
import { AUDIT_FIELDS } from './fields.ts';

const LOGIN = '{authentication: int, domain: string, username: string}';
const PROFILE = '{first_name: string, last_name: string, roles: string[]}';
const ENTRY = '{email: string, id: string, name: string, phone_number: string, sms: string}';
const DEVICE = '{address: string, device: string, last_seen_at: int}';
const TRIGGERS = '{channels: string[], ticket_created: boolean, ticket_updated: boolean}';
const RULE = '{canmark?: int, duration?: {count: int, period: string}, value: int}';
const SCHEDULE = `{ruling: ${RULE} | null, waiting: {effectiveAt: int, rule: ${RULE}} | null}`;

const RECOVERY = '{effective_at: int | null, recoverable_days: int, waiting_days: int | null}';
const REMOTE_TEAM = '{direct_messages: boolean, name: string, remote_team_id: string}';
const CONNECTED_HOLD =
  '{channel_count: int, channel_ids: string[], connected_channel_count: int, connected_channel_ids: string[], connected_user_count: int, connected_user_ids: string[], from: int | null, name: string, reason: string, release_at: int | null, settings: string[], to: int | null, user_count: int, user_ids: string[]}';
const HOLD =
  '{channel_count: int, channel_ids: string[], from: int | null, name: string, reason: string, release_at: int | null, settings: string[], to: int | null, user_count: int, user_ids: string[]}';

const SSO =
  '{client_id: string, default_role: string, enabled: boolean, group_claim: string, group_count: int, issuer: string, jit: boolean, name: string, required: boolean}';

const NAMING_POLICY =
  '{break_glass_owners?: string[], idle_minutes: int | null, networks: string[], require_mfa: string, session_hours: int | null}';

const END = '{ends_on: string | null}';
const END_CHANGE = `{after: ${END}, before: ${END}, user_ids: string[]}`;
const ROLES_AND_END = '{ends_on?: string | null, roles: string[]}';

const INACTIVITY =
  '{activity_source: string, inactive_days: int, is_on: boolean, skips_held: boolean, skips_provisioned: boolean}';
const EXCEPTION = '{exception_until: string | null, reason: string}';

/** The shapes that rows are stored in. Add the shape of a new version; never change a line that is here. */
const RELEASED: Record<string, string> = {
  'users.invited 1': '{account_type: int, email: string}',
  'users.joined 1': '{account_type: int, email: string}',
  'users.edited 1': `{after: ${PROFILE}, before: ${PROFILE}}`,
  'users.sessions_revoked 1': `{before: ${DEVICE}[], links: int, sessions: int}`,
  'users.session_revoked 1': `{before: ${DEVICE}}`,
  'users.invitation_resent 1': '{}',
  'users.invitation_cancelled 1': '{email: string, forgotten: boolean}',
  'users.bulk_changed 1': '{bulk_action: string, links: int, sessions: int, tokens: int, user_ids: string[]}',
  'directory.added 1': `{entries: ${ENTRY}[]}`,
  'directory.edited 1': `{after: ${ENTRY}[], before: ${ENTRY}[]}`,
  'directory.deleted 1': `{before: ${ENTRY}}`,
  'directory.restored 1': `{entries: ${ENTRY}[]}`,
  'directory.imported 1': '{changed: int, created: int, failed: int, file_name: string, state: string, unchanged: int}',
  'directory.import_undo_asked 1': '{}',
  'directory.import_undone 1': '{kept: int, removed: int, restored: int}',
  'retention.saved 1': `{[name]: {after: ${SCHEDULE}, before: ${SCHEDULE}}}`,
  'retention.run_asked 1': '{kinds: "all" | string[], runs: string[]}',
  'retention.ran 1':
    '{bytes: int, cutoff: int, deleted: int, failed: int, kind: string, note: string, scanned: int, state: string}',
  'channels.defaults_saved 1': '{after: string[], before: string[], join_id?: string}',
  'channels.people_added 1': '{channel_ids: string[], joined: int, people_done: int}',
  'channels.group_saved 1': '{after: string[], before: string[], join_id: string, name: string}',
  'channels.groups_applied 1': '{group_id: string, joined: int, removed: int}',
  'channels.posted 1': '{channel_id: string}',
  'channels.compliance_granted 1': '{hours: int, reason: string, replaced_until?: int, until: int, user_id: string}',
  'channels.compliance_ended 1': '{until: int, user_id: string}',
  'channels.compliance_read 1': '{file_id?: string, posts?: int}',
  'integrations.connected 1': LOGIN,
  'integrations.credentials_saved 1': `{after: ${LOGIN}, before: ${LOGIN}}`,
  'integrations.saved 1': `{after: ${TRIGGERS}, before: ${TRIGGERS}, template_changed: boolean}`,
  'integrations.tested 1': '{channels: string[]}',
  'integrations.redelivered 1': '{deliveries: int}',
  'integrations.disconnected 1': '{domain: string, left_behind: boolean}',
  'tokens.added 1': '{name: string}',
  'tokens.removed 1': '{name: string}',
  'tokens.added 2':
    '{expires_at: int, kinds: string[], name: string, replaces?: string, source_id: string, speak_for_users: boolean}',
  'security.saved 1':
    '{after: {idle_minutes: int | null, networks: string[], require_mfa: string, session_hours: int | null}, before: {idle_minutes: int | null, networks: string[], require_mfa: string, session_hours: int | null}}',
  'security.saved 2': `{after: ${NAMING_POLICY}, before: ${NAMING_POLICY}}`,
  'tokens.policy_saved 1': '{admins_may_create: boolean}',
  'content.added 2':
    '{accepted: int, failed: int, item_ids: string[], items_not_listed: int, source_id: string, token_id: string, unchanged: int}',
  'content.added 1': '{accepted: int, failed: int, token_id: string, unchanged: int}',
  'session.reset_requested 1': '{limited?: boolean}',
  'session.password_reset 1': '{sessions: int}',
  'session.signed_in 1': '{}',
  'session.signed_out 1': '{}',
  'session.reauthentication_failed 1': '{reason: string}',
  'session.sign_in_failed 1': '{reason: string}',
  'session.all_ended 1':
    '{compliance_access?: int, jobs?: int, links: int, mails?: int, sessions: int, sign_ups: int, tokens?: int}',
  'signup.requested 1': '{invitees: int, limited: boolean}',
  'signup.finished 1': '{invited: int}',
  'signup.invitation_accepted 1': '{}',
  'teams.created 1': '{demo?: true, email?: string}',
  'teams.saved 1':
    '{after: {display_name?: string, time_zone?: string}, before: {display_name?: string, time_zone?: string}}',
  'teams.filled 1':
    '{channels?: int, entries?: int, files?: int, messages?: int, people?: int, records?: int, seed: int}',
  'session.email_changed 1': '{}',
  'session.email_requested 1': '{limited: boolean}',
  'session.data_exported 1': '{}',
  'session.ended 1': '{sessions: int}',
  'session.factor_added 1': '{factor: string}',
  'session.factor_removed 1': '{factor: string}',
  'session.factors_reset 1': '{sessions: int}',
  'session.reauthenticated 1': '{reauth_method: string}',
  'session.recovery_code_used 1': '{codes_left: int}',
  'session.recovery_codes_renewed 1': '{}',
  'users.factors_reset 1': '{sessions: int}',
  'sso.break_glass 1': '{}',
  'sso.domain_added 1': '{email_domain: string}',
  'sso.domain_lost 1': '{email_domain: string}',
  'sso.domain_missing 1': '{email_domain: string}',
  'sso.domain_removed 1': '{email_domain: string}',
  'sso.domain_verified 1': '{email_domain: string}',
  'sso.invited 1': '{roles: string[]}',
  'sso.joined 1': '{roles: string[]}',
  'sso.linked 1': '{}',
  'sso.logged_out 1': '{sessions: int}',
  'sso.removed 1': `{before: ${SSO}, sessions: int}`,
  'sso.role_changed 1': '{after: {roles: string[]}, before: {roles: string[]}}',
  'sso.saved 1': `{after: ${SSO}, before: ${SSO} | null, groups_changed: boolean, secret_changed: boolean, sessions: int}`,
  'sso.tested 1': '{}',
  'sso.turned_off 1': '{sessions: int}',
  'sso.unlinked 1': '{sessions: int}',
  'session.password_changed 1': '{sessions: int}',
  'session.picture_removed 1': '{}',
  'session.picture_saved 1': '{}',
  'session.preferences_saved 1': '{}',
  'session.profile_saved 1': '{}',
  'signup.invitation_accepted 2': '{invitation_id: string}',
  'teams.created 2': '{demo?: true}',
  'teams.restored 1': '{backed_up_at: int, tokens: int}',
  'users.added_many 1':
    '{invited_users: string[], made_admins: string[], made_users: string[], renamed_users: string[]}',
  'users.deactivated 1': `{before: ${DEVICE}[], links: int, sessions: int, tokens: int}`,
  'users.edited 2': '{after: {roles: string[]}, before: {roles: string[]}, renamed?: true}',
  'users.invitation_cancelled 2': '{}',
  'users.erased 1': '{account: string}',
  'retention.ran 2':
    '{bytes: int, cutoff: int, deleted: int, failed: int, held: int, kind: string, note: string, scanned: int, state: string}',
  'retention.recovery_saved 1': `{after: ${RECOVERY}, before: ${RECOVERY}}`,
  'retention.restore_asked 1': '{}',
  'retention.restored 1': '{kind: string, note: string, restored: int, skipped: int, state: string}',
  'retention.destroyed 1': '{bytes: int, kind: string, objects: int}',
  'retention.destroyed 2': '{bytes: int, files: int, item_bytes: int, items: int, kind: string, objects: int}',
  'connections.made 1': '{direct_messages: boolean, name: string, provider: string, remote_team_id: string}',
  'connections.accepted 1': REMOTE_TEAM,
  'connections.left 1': REMOTE_TEAM,
  'connections.ended 1': REMOTE_TEAM,
  'connections.paused 1': '{after: boolean, before: boolean}',
  'connections.rules_saved 1': `{[name]: {after: ${SCHEDULE}, before: ${SCHEDULE}}}`,
  'users.invited_from_server 1': '{connection_id: string, remote_user_ids: string[]}',
  'users.unlinked_from_server 1': '{connection_id: string, remote_user_ids: string[]}',
  'connections.defaults_saved 1': '{after: string[], before: string[]}',
  'connections.asked 1': '{refused_user_ids: string[], remote_action: string, remote_user_ids: string[]}',
  'connections.work_ended 1': '{detail: string, outcome: string, remote_action: string, remote_user_ids: string[]}',
  'connections.order_opened 1': '{digest: string, order_id: string, rows: int, threads: int}',
  'connections.order_stopped 1': '{gone: int, kept: int, open: int, order_id: string, reason: string}',
  'connections.order_closed 1':
    '{digest: string, gone: int, kept: int, kept_by: {[name]: int}, order_id: string, orphans: int, proof: string, rehearsed_at: int, rows: int, server_version: string, threads: int}',
  'holds.created 1': HOLD,
  'holds.created 2': CONNECTED_HOLD,
  'holds.saved 2': `{after: ${CONNECTED_HOLD}, before: ${CONNECTED_HOLD}}`,
  'holds.released 3': `{after: ${CONNECTED_HOLD}, before: ${CONNECTED_HOLD}, reason: string}`,
  'holds.saved 1': `{after: ${HOLD}, before: ${HOLD}}`,
  'holds.released 1': '{reason: string, release_at: int}',
  'holds.released 2': `{after: ${HOLD}, before: ${HOLD}, reason: string}`,
  'holds.exported 1': '{export_id: string, reason: string}',
  'holds.export_ended 1': '{export_id: string, sha256: string, size: int, state: string}',
  'content.held 1': '{held: int, source_id: string, token_id: string}',
  'users.exported 1': '{reason: string}',
  'users.invitation_declined 1': '{}',
  'users.invited 2': '{account_type: int}',
  'users.left 1': '{tokens: int}',
  'users.owner_added 1': '{}',
  'users.owner_removed 1': '{}',
  'users.reactivated 1': '{}',
  'scim.token_added 1': '{name: string}',
  'scim.token_removed 1': '{name: string}',
  'scim.user_added 1': '{joined_as: string, scim_token_id: string}',
  'scim.user_changed 1': '{attributes: string[], scim_token_id: string}',
  'scim.user_deactivated 1': `{before: ${DEVICE}[], links: int, scim_token_id: string, sessions: int, tokens: int}`,
  'scim.user_reactivated 1': '{scim_token_id: string}',
  'scim.user_removed 1': `{before: ${DEVICE}[], links: int, scim_token_id: string, sessions: int, tokens: int}`,
  'scim.roles_changed 1': '{group_id: string, made_admins: string[], made_users: string[], scim_token_id: string}',
  'scim.group_added 1': '{added: int, name: string, scim_token_id: string}',
  'scim.group_changed 1': '{added: int, name: string, removed: int, renamed?: true, scim_token_id: string}',
  'scim.group_removed 1': '{name: string, scim_token_id: string}',
  'users.link_created 1': '{email_domains: string[], expires_at: int, max_uses: int, name: string}',
  'users.link_created 2':
    '{email_domains: string[], expires_at: int, max_uses: int, members_end_on?: string, name: string}',
  'users.link_revoked 1': '{canceled: int, name: string, uses: int}',
  'users.joined_by_link 1': '{invitation_id: string, invitation_link_id: string}',
  'users.invited 3': '{account_type: int, ends_on?: string}',
  'users.edited 3': `{after: ${ROLES_AND_END}, before: ${ROLES_AND_END}, renamed?: true}`,
  'users.ended 1': `{before: ${DEVICE}[], ends_on: string, links: int, sessions: int, tokens: int}`,
  'users.reactivated 2': `{after?: ${END}, before?: ${END}}`,
  'users.added_many 2': `{end_dates?: ${END_CHANGE}[], invited_users: string[], made_admins: string[], made_users: string[], renamed_users: string[]}`,
  'users.bulk_changed 2': `{bulk_action: string, end_dates?: ${END_CHANGE}[], links: int, sessions: int, tokens: int, user_ids: string[]}`,
  'users.removed 1': `{before: ${DEVICE}[], links: int, sessions: int, tokens: int}`,
  'users.inactivity_saved 1': `{after: ${INACTIVITY}, before: ${INACTIVITY}}`,
  'users.inactivity_excepted 1': `{after: ${EXCEPTION}, before?: ${EXCEPTION}}`,
  'users.inactivity_exception_ended 1': `{before: ${EXCEPTION}}`,
  'users.inactivity_confirmed 1': '{night: string, user_count: int}',
  'users.inactivity_night 1':
    '{deactivated_users: string[], night: string, reminded_users: string[], warned_users: string[]}',
  'users.inactivity_undone 1': '{night: string, restored_users: string[]}',
  'users.inactive_deactivated 1': `{before: ${DEVICE}[], links: int, night: string, sessions: int, tokens: int}`,
  'users.still_needed 1': '{}',
};

interface JsonSchema {
  type?: string | string[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | false;
}

/** A schema in one line, with the fields of each object in alphabetical order. */
function describeShape(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(describeShape).join(' | ');
  if (schema.type === 'array') return `${describeShape(schema.items ?? {})}[]`;
  if (schema.type !== 'object') return [schema.type ?? 'unknown'].flat().join(' | ').replace('integer', 'int');
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.keys(properties)
    .sort()
    .map((name) => `${name}${required.includes(name) ? '' : '?'}: ${describeShape(properties[name] ?? {})}`);
  if (additionalProperties) fields.push(`[name]: ${describeShape(additionalProperties)}`);
  return `{${fields.join(', ')}}`;
}

test('every action has a schema, and the shape of every version is as released', () => {
  assert.deepEqual(Object.keys(AUDIT_DETAILS).sort(), Object.keys(AUDIT_ACTIONS).sort());
  const shapes = Object.entries(AUDIT_DETAILS).flatMap(([action, versions]) =>
    versions.map((schema, at) => [`${action} ${at + 1}`, describeShape(z.toJSONSchema(schema) as JsonSchema)]),
  );
  assert.deepEqual(Object.fromEntries(shapes), RELEASED);
});

test('a field that is added, removed or renamed changes the shape', () => {
  const shape = (schema: z.ZodType) => describeShape(z.toJSONSchema(schema) as JsonSchema);
  const released = z.strictObject({ a: z.int(), b: z.array(z.string()) });
  assert.equal(shape(released), '{a: int, b: string[]}');
  assert.equal(shape(released.extend({ c: z.boolean().optional() })), '{a: int, b: string[], c?: boolean}');
  assert.equal(shape(released.omit({ b: true })), '{a: int}');
  assert.equal(shape(z.strictObject({ a: z.string(), b: z.string().nullable() })), '{a: string, b: string | null}');
});

test('details are stored with the version of their action, and read back without it', () => {
  const details: AuditDetails<'tokens.removed'> = { name: 'Chat service' };
  const stored = toStoredDetails('tokens.removed', details);
  assert.deepEqual(stored, { name: 'Chat service', v: 1 });
  assert.deepEqual(fromStoredDetails(stored), { version: 1, details });
});

test('rows from before versions have the first one', () => {
  assert.deepEqual(fromStoredDetails({ name: 'x' }), { version: 1, details: { name: 'x' } });
});

test('details of another action do not compile', () => {
  const write = <Action extends AuditAction>(_action: Action, details: AuditDetails<Action>) => details;
  write('tokens.removed', { name: 'x' });
  // @ts-expect-error a field of another action
  write('tokens.removed', { email: 'x' });
  // @ts-expect-error a field is missing
  write('users.invited', { email: 'x' });
});

test('every field has a label in sentence case', () => {
  for (const { label } of Object.values(AUDIT_FIELDS)) assert.match(label, /^[A-Z]+[a-zA-Z -]*[a-z]$/);
});
