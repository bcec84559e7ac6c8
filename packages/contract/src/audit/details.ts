import { z } from 'zod';
import type { AuditAction } from './catalog.ts';

// Stored details outlive the code that wrote them. Their field names are data: a schema is never edited to follow a
// renamed type. To store something else, append a schema: its position in the list is its version. Users are stored as ids and
// get their names when a row is shown: names and addresses can be erased, and rows can't be changed.

const Ids = z.array(z.string());
const Count = z.int();
const None = z.strictObject({});

const Member = z.strictObject({ email: z.string(), account_type: z.int() });
const Profile = z.strictObject({ first_name: z.string(), last_name: z.string(), roles: z.array(z.string()) });
const RolesOnly = z.strictObject({ roles: z.array(z.string()) });
/** The last day of a membership; null for none. */
const End = z.strictObject({ ends_on: z.string().nullable() });
const RolesAndEnd = RolesOnly.extend({ ends_on: z.string().nullable().optional() });
/** Users whose end date changed in the same way. */
const EndChange = z.strictObject({ user_ids: Ids, before: End, after: End });
const Device = z.strictObject({ device: z.string(), address: z.string(), last_seen_at: z.int() });

const Ended = z.strictObject({ sessions: Count, links: Count, tokens: Count, before: z.array(Device) });

const Entry = z.strictObject({
  id: z.string(),
  name: z.string(),
  phone_number: z.string(),
  sms: z.string(),
  email: z.string(),
});

const Rule = z.strictObject({
  value: z.int(),
  canmark: z.int().optional(),
  duration: z.strictObject({ count: z.int(), period: z.string() }).optional(),
});
const Schedule = z.strictObject({
  /** The current rule; null if the stored value could not be read. */
  ruling: Rule.nullable(),
  /** The scheduled rule; `effectiveAt` is in milliseconds since 1970. */
  waiting: z.strictObject({ rule: Rule, effectiveAt: z.int() }).nullable(),
});

const SecurityPolicy = z.strictObject({
  require_mfa: z.string(),
  idle_minutes: z.int().nullable(),
  session_hours: z.int().nullable(),
  networks: z.array(z.string()),
});

const NamingPolicy = SecurityPolicy.extend({ break_glass_owners: Ids.optional() });

const TeamSettings = z.strictObject({ display_name: z.string().optional(), time_zone: z.string().optional() });

const RemoteTeam = z.strictObject({ name: z.string(), remote_team_id: z.string(), direct_messages: z.boolean() });
const OpenedOrder = z.strictObject({ order_id: z.string(), rows: Count, threads: Count, digest: z.string() });

const RecoveryDays = z.strictObject({
  recoverable_days: Count,
  /** The lower number that takes effect at `effective_at`. */
  waiting_days: z.int().nullable(),
  effective_at: z.int().nullable(),
});

/** Of long lists, only the first ids are stored. */
const Hold = z.strictObject({
  name: z.string(),
  reason: z.string(),
  user_count: Count,
  user_ids: Ids,
  channel_count: Count,
  channel_ids: Ids,
  settings: z.array(z.string()),
  from: z.int().nullable(),
  to: z.int().nullable(),
  /** Time at which a release takes effect; null until the hold is released. */
  release_at: z.int().nullable(),
});

const ConnectedHold = Hold.extend({
  connected_user_count: Count,
  connected_user_ids: Ids,
  connected_channel_count: Count,
  connected_channel_ids: Ids,
});

const Login = z.strictObject({ domain: z.string(), username: z.string(), authentication: z.int() });
const Triggers = z.strictObject({ ticket_created: z.boolean(), ticket_updated: z.boolean(), channels: Ids });

const Inactivity = z.strictObject({
  is_on: z.boolean(),
  activity_source: z.string(),
  inactive_days: Count,
  skips_held: z.boolean(),
  skips_provisioned: z.boolean(),
});
const Exception = z.strictObject({ reason: z.string(), exception_until: z.string().nullable() });

const EmailDomain = z.strictObject({ email_domain: z.string() });
const Sso = z.strictObject({
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  enabled: z.boolean(),
  required: z.boolean(),
  jit: z.boolean(),
  default_role: z.string(),
  group_claim: z.string(),
  group_count: Count,
});
const Factor = z.strictObject({ factor: z.string() });

type Versions = readonly [z.ZodType, ...z.ZodType[]];

/** The details of every action, oldest version first. New rows are written with the last one. */
export const AUDIT_DETAILS = {
  'users.invited': [
    Member,
    z.strictObject({ account_type: z.int() }),
    z.strictObject({ account_type: z.int(), ends_on: z.string().optional() }),
  ],
  'users.invited_from_server': [z.strictObject({ connection_id: z.string(), remote_user_ids: Ids })],
  'users.unlinked_from_server': [z.strictObject({ connection_id: z.string(), remote_user_ids: Ids })],
  'users.added_many': [
    z.strictObject({ invited_users: Ids, made_admins: Ids, made_users: Ids, renamed_users: Ids }),
    z.strictObject({
      invited_users: Ids,
      made_admins: Ids,
      made_users: Ids,
      renamed_users: Ids,
      end_dates: z.array(EndChange).optional(),
    }),
  ],
  'users.joined': [Member],
  'users.edited': [
    z.strictObject({ before: Profile, after: Profile }),
    z.strictObject({ renamed: z.literal(true).optional(), before: RolesOnly, after: RolesOnly }),
    z.strictObject({ renamed: z.literal(true).optional(), before: RolesAndEnd, after: RolesAndEnd }),
  ],
  'users.sessions_revoked': [z.strictObject({ sessions: Count, links: Count, before: z.array(Device) })],
  'users.session_revoked': [z.strictObject({ before: Device })],
  'users.deactivated': [Ended],
  'users.ended': [Ended.extend({ ends_on: z.string() })],
  'users.reactivated': [None, z.strictObject({ before: End.optional(), after: End.optional() })],
  'users.removed': [Ended],
  'users.left': [z.strictObject({ tokens: Count })],
  'users.owner_added': [None],
  'users.owner_removed': [None],
  'users.invitation_declined': [None],
  'users.invitation_resent': [None],
  'users.invitation_cancelled': [z.strictObject({ email: z.string(), forgotten: z.boolean() }), None],
  'users.link_created': [
    z.strictObject({ name: z.string(), expires_at: z.int(), max_uses: Count, email_domains: z.array(z.string()) }),
    z.strictObject({
      name: z.string(),
      expires_at: z.int(),
      max_uses: Count,
      email_domains: z.array(z.string()),
      members_end_on: z.string().optional(),
    }),
  ],
  /** `canceled`: invitations that waited for an answer. */
  'users.link_revoked': [z.strictObject({ name: z.string(), uses: Count, canceled: Count })],
  /** The target is the account; the invitation had an id of its own. */
  'users.joined_by_link': [z.strictObject({ invitation_link_id: z.string(), invitation_id: z.string() })],
  /** One row a batch of a job; the target is the job. */
  'users.bulk_changed': [
    z.strictObject({ bulk_action: z.string(), user_ids: Ids, sessions: Count, links: Count, tokens: Count }),
    z.strictObject({
      bulk_action: z.string(),
      user_ids: Ids,
      sessions: Count,
      links: Count,
      tokens: Count,
      end_dates: z.array(EndChange).optional(),
    }),
  ],
  'users.factors_reset': [z.strictObject({ sessions: Count })],
  'users.exported': [z.strictObject({ reason: z.string() })],
  'users.erased': [z.strictObject({ account: z.string() })],
  'users.inactivity_saved': [z.strictObject({ before: Inactivity, after: Inactivity })],
  'users.inactivity_excepted': [z.strictObject({ before: Exception.optional(), after: Exception })],
  'users.inactivity_exception_ended': [z.strictObject({ before: Exception })],
  'users.inactivity_confirmed': [z.strictObject({ night: z.string(), user_count: Count })],
  'users.inactivity_night': [
    z.strictObject({ night: z.string(), warned_users: Ids, reminded_users: Ids, deactivated_users: Ids }),
  ],
  'users.inactivity_undone': [z.strictObject({ night: z.string(), restored_users: Ids })],
  'users.inactive_deactivated': [Ended.extend({ night: z.string() })],
  'users.still_needed': [None],
  'directory.added': [z.strictObject({ entries: z.array(Entry) })],
  'directory.edited': [z.strictObject({ before: z.array(Entry), after: z.array(Entry) })],
  'directory.deleted': [z.strictObject({ before: Entry })],
  'directory.restored': [z.strictObject({ entries: z.array(Entry) })],
  'directory.imported': [
    z.strictObject({
      state: z.string(),
      file_name: z.string(),
      created: Count,
      changed: Count,
      unchanged: Count,
      failed: Count,
    }),
  ],
  'directory.import_undo_asked': [None],
  'directory.import_undone': [z.strictObject({ removed: Count, restored: Count, kept: Count })],
  /** By the name of the setting, such as `public_channels`. */
  'retention.saved': [z.record(z.string(), z.strictObject({ before: Schedule, after: Schedule }))],
  'retention.run_asked': [z.strictObject({ kinds: z.union([z.literal('all'), z.array(z.string())]), runs: Ids })],
  'retention.ran': [
    z.strictObject({
      kind: z.string(),
      cutoff: z.int(),
      scanned: Count,
      deleted: Count,
      bytes: Count,
      failed: Count,
      state: z.string(),
      note: z.string(),
    }),
    z.strictObject({
      kind: z.string(),
      cutoff: z.int(),
      scanned: Count,
      deleted: Count,
      bytes: Count,
      failed: Count,
      held: Count,
      state: z.string(),
      note: z.string(),
    }),
  ],
  'retention.recovery_saved': [z.strictObject({ before: RecoveryDays, after: RecoveryDays })],
  'retention.restore_asked': [None],
  'retention.restored': [
    z.strictObject({ kind: z.string(), state: z.string(), restored: Count, skipped: Count, note: z.string() }),
  ],
  'retention.destroyed': [
    z.strictObject({ kind: z.string(), objects: Count, bytes: Count }),
    z.strictObject({ kind: z.string(), items: Count, files: Count, item_bytes: Count, objects: Count, bytes: Count }),
  ],
  'holds.created': [Hold, ConnectedHold],
  'holds.saved': [
    z.strictObject({ before: Hold, after: Hold }),
    z.strictObject({ before: ConnectedHold, after: ConnectedHold }),
  ],
  /** `release_at` is the time at which the hold ends. */
  'holds.released': [
    z.strictObject({ reason: z.string(), release_at: z.int() }),
    z.strictObject({ reason: z.string(), before: Hold, after: Hold }),
    z.strictObject({ reason: z.string(), before: ConnectedHold, after: ConnectedHold }),
  ],
  'holds.exported': [z.strictObject({ reason: z.string(), export_id: z.string() })],
  'holds.export_ended': [z.strictObject({ export_id: z.string(), state: z.string(), size: Count, sha256: z.string() })],
  'connections.made': [RemoteTeam.extend({ provider: z.string() })],
  'connections.accepted': [RemoteTeam],
  'connections.left': [RemoteTeam],
  'connections.ended': [RemoteTeam],
  'connections.paused': [z.strictObject({ before: z.boolean(), after: z.boolean() })],
  'connections.rules_saved': [
    z.partialRecord(
      z.enum(['public_channels', 'private_channels', 'direct_messages']),
      z.strictObject({ before: Schedule, after: Schedule }),
    ),
  ],
  'connections.defaults_saved': [z.strictObject({ before: Ids, after: Ids })],
  'connections.asked': [z.strictObject({ remote_action: z.string(), remote_user_ids: Ids, refused_user_ids: Ids })],
  'connections.work_ended': [
    z.strictObject({ remote_action: z.string(), remote_user_ids: Ids, outcome: z.string(), detail: z.string() }),
  ],
  'connections.order_opened': [OpenedOrder],
  'connections.order_stopped': [
    z.strictObject({ order_id: z.string(), gone: Count, kept: Count, open: Count, reason: z.string() }),
  ],
  /** `digest` and `proof` are SHA-256 in hex: of the ids, and of the ids with their outcomes. */
  'connections.order_closed': [
    OpenedOrder.extend({
      gone: Count,
      kept: Count,
      kept_by: z.record(z.string(), Count),
      orphans: Count,
      proof: z.string(),
      server_version: z.string(),
      rehearsed_at: z.int(),
    }),
  ],
  'channels.defaults_saved': [z.strictObject({ before: Ids, after: Ids, join_id: z.string().optional() })],
  'channels.people_added': [z.strictObject({ channel_ids: Ids, people_done: Count, joined: Count })],
  'channels.group_saved': [z.strictObject({ name: z.string(), before: Ids, after: Ids, join_id: z.string() })],
  /** `group_id` is '' after the run that a changed mapping started, which handles all groups. */
  'channels.groups_applied': [z.strictObject({ group_id: z.string(), joined: Count, removed: Count })],
  'channels.posted': [z.strictObject({ channel_id: z.string() })],
  /** `replaced_until` is the time at which the replaced access would have ended. */
  'channels.compliance_granted': [
    z.strictObject({
      user_id: z.string(),
      hours: Count,
      until: z.int(),
      reason: z.string(),
      replaced_until: z.int().optional(),
    }),
  ],
  'channels.compliance_ended': [z.strictObject({ user_id: z.string(), until: z.int() })],
  /** A page of posts, or a file. */
  'channels.compliance_read': [z.strictObject({ posts: Count.optional(), file_id: z.string().optional() })],
  'integrations.connected': [Login],
  'integrations.credentials_saved': [z.strictObject({ before: Login, after: Login })],
  'integrations.saved': [z.strictObject({ before: Triggers, after: Triggers, template_changed: z.boolean() })],
  'integrations.tested': [z.strictObject({ channels: Ids })],
  'integrations.redelivered': [z.strictObject({ deliveries: Count })],
  'integrations.disconnected': [z.strictObject({ domain: z.string(), left_behind: z.boolean() })],
  'tokens.added': [
    z.strictObject({ name: z.string() }),
    z.strictObject({
      name: z.string(),
      kinds: z.array(z.string()),
      speak_for_users: z.boolean(),
      expires_at: z.int(),
      source_id: z.string(),
      replaces: z.string().optional(),
    }),
  ],
  'tokens.removed': [z.strictObject({ name: z.string() })],
  'security.saved': [
    z.strictObject({ before: SecurityPolicy, after: SecurityPolicy }),
    z.strictObject({ before: NamingPolicy, after: NamingPolicy }),
  ],
  'tokens.policy_saved': [z.strictObject({ admins_may_create: z.boolean() })],
  'scim.token_added': [z.strictObject({ name: z.string() })],
  'scim.token_removed': [z.strictObject({ name: z.string() })],
  /** `joined_as`: an account of a verified domain was created or linked, or the address was invited. */
  'scim.user_added': [
    z.strictObject({ scim_token_id: z.string(), joined_as: z.enum(['created', 'linked', 'invited', 'inactive']) }),
  ],
  /** Names of the attributes that changed; their values are personal data. */
  'scim.user_changed': [z.strictObject({ scim_token_id: z.string(), attributes: z.array(z.string()) })],
  'scim.user_deactivated': [Ended.extend({ scim_token_id: z.string() })],
  'scim.user_reactivated': [z.strictObject({ scim_token_id: z.string() })],
  'scim.user_removed': [Ended.extend({ scim_token_id: z.string() })],
  'scim.roles_changed': [
    z.strictObject({ scim_token_id: z.string(), made_admins: Ids, made_users: Ids, group_id: z.string() }),
  ],
  /** `added` and `removed`: numbers of members. */
  'scim.group_added': [z.strictObject({ scim_token_id: z.string(), name: z.string(), added: Count })],
  'scim.group_changed': [
    z.strictObject({
      scim_token_id: z.string(),
      name: z.string(),
      renamed: z.literal(true).optional(),
      added: Count,
      removed: Count,
    }),
  ],
  'scim.group_removed': [z.strictObject({ scim_token_id: z.string(), name: z.string() })],
  /** `item_ids`: the first items that were added or changed. */
  'content.held': [z.strictObject({ token_id: z.string(), source_id: z.string(), held: Count })],
  'content.added': [
    z.strictObject({ token_id: z.string(), accepted: Count, unchanged: Count, failed: Count }),
    z.strictObject({
      token_id: z.string(),
      source_id: z.string(),
      accepted: Count,
      unchanged: Count,
      failed: Count,
      item_ids: Ids,
      items_not_listed: Count,
    }),
  ],
  'sso.domain_added': [EmailDomain],
  'sso.domain_verified': [EmailDomain],
  'sso.domain_missing': [EmailDomain],
  'sso.domain_lost': [EmailDomain],
  'sso.domain_removed': [EmailDomain],
  /** `sessions` ended because the connection was replaced or switched off. */
  'sso.saved': [
    z.strictObject({
      before: Sso.nullable(),
      after: Sso,
      secret_changed: z.boolean(),
      groups_changed: z.boolean(),
      sessions: Count,
    }),
  ],
  'sso.removed': [z.strictObject({ before: Sso, sessions: Count })],
  'sso.turned_off': [z.strictObject({ sessions: Count })],
  'sso.tested': [None],
  'sso.linked': [None],
  'sso.unlinked': [z.strictObject({ sessions: Count })],
  'sso.joined': [RolesOnly],
  'sso.invited': [RolesOnly],
  'sso.role_changed': [z.strictObject({ before: RolesOnly, after: RolesOnly })],
  'sso.logged_out': [z.strictObject({ sessions: Count })],
  'session.reset_requested': [z.strictObject({ limited: z.boolean().optional() })],
  'session.password_reset': [z.strictObject({ sessions: Count })],
  'session.signed_in': [None],
  'session.signed_out': [None],
  'session.sign_in_failed': [z.strictObject({ reason: z.string() })],
  'session.profile_saved': [None],
  'session.picture_saved': [None],
  'session.picture_removed': [None],
  'session.email_requested': [z.strictObject({ limited: z.boolean() })],
  'session.email_changed': [None],
  'session.preferences_saved': [None],
  'session.data_exported': [None],
  'session.password_changed': [z.strictObject({ sessions: Count })],
  'session.ended': [z.strictObject({ sessions: Count })],
  'session.reauthentication_failed': [z.strictObject({ reason: z.string() })],
  'session.reauthenticated': [z.strictObject({ reauth_method: z.string() })],
  'session.factor_added': [Factor],
  'session.factor_removed': [Factor],
  'session.factors_reset': [z.strictObject({ sessions: Count })],
  'session.recovery_codes_renewed': [None],
  'session.recovery_code_used': [z.strictObject({ codes_left: Count })],
  'session.all_ended': [
    z.strictObject({
      sessions: Count,
      links: Count,
      sign_ups: Count,
      tokens: Count.optional(),
      compliance_access: Count.optional(),
      jobs: Count.optional(),
      mails: Count.optional(),
    }),
  ],
  'sso.break_glass': [None],
  'signup.requested': [z.strictObject({ limited: z.boolean(), invitees: Count })],
  'signup.finished': [z.strictObject({ invited: Count })],
  /** The target is the account; the invitation had an id of its own. */
  'signup.invitation_accepted': [None, z.strictObject({ invitation_id: z.string() })],
  'teams.created': [
    z.strictObject({ email: z.string().optional(), demo: z.literal(true).optional() }),
    z.strictObject({ demo: z.literal(true).optional() }),
  ],
  /** Only what changed. */
  'teams.saved': [z.strictObject({ before: TeamSettings, after: TeamSettings })],
  'teams.filled': [
    z.strictObject({
      seed: z.int(),
      people: Count.optional(),
      entries: Count.optional(),
      channels: Count.optional(),
      messages: Count.optional(),
      files: Count.optional(),
      records: Count.optional(),
    }),
  ],
  /** `tokens`: service tokens that were ended. */
  'teams.restored': [z.strictObject({ backed_up_at: z.int(), tokens: Count })],
} as const satisfies Record<AuditAction, Versions>;

type Last<List extends Versions> = List extends readonly [...unknown[], infer Schema extends z.ZodType]
  ? Schema
  : never;

export type AuditDetails<Action extends AuditAction = AuditAction> = Action extends AuditAction
  ? z.infer<Last<(typeof AUDIT_DETAILS)[Action]>>
  : never;

export function toStoredDetails(action: AuditAction, details: object): Record<string, unknown> {
  return { ...details, v: AUDIT_DETAILS[action].length };
}

/** Rows without a version were written before versions existed and have the first one. */
export function fromStoredDetails(stored: Readonly<Record<string, unknown>>): {
  version: number;
  details: Record<string, unknown>;
} {
  const { v, ...details } = stored;
  return { version: typeof v === 'number' ? v : 1, details };
}
