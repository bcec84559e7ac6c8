import type { AuditDetails } from './details.ts';

/** Formatting of a value whose type doesn't determine it. */
type Format =
  | 'time'
  /** A date without a time, such as 2027-03-31. */
  | 'day'
  /** A list of roles, shown as the account type. */
  | 'roles'
  /** Any stored value means yes. */
  | 'presence'
  /** Texts by value. */
  | Readonly<Record<number | string, string>>;

interface AuditFieldInfo {
  label: string;
  format?: Format;
}

/** Containers of fields. */
type Frame = 'before' | 'after' | 'entries';
/** Parts of a retention rule, which is shown as one sentence. */
type RulePart = 'value' | 'canmark' | 'duration' | 'count' | 'period' | 'rule' | 'effectiveAt';

type Keys<T> = T extends readonly (infer Item)[]
  ? Keys<Item>
  : T extends object
    ? { [K in keyof T]-?: (string extends K ? never : K) | Keys<T[K]> }[keyof T]
    : never;

// Only rows of earlier versions have these fields.
type FormerField = 'forgotten' | 'first_name' | 'last_name';

type AuditField = Exclude<Keys<AuditDetails>, Frame | RulePart | 'id' | number | symbol> | FormerField;

/** Fields of an object are listed in this order. */
export const AUDIT_FIELDS: Readonly<Record<AuditField, AuditFieldInfo>> = {
  name: { label: 'Name' },
  display_name: { label: 'Name of the team' },
  time_zone: { label: 'Time zone' },
  first_name: { label: 'First name' },
  last_name: { label: 'Last name' },
  email: { label: 'Email' },
  phone_number: { label: 'Phone number' },
  sms: { label: 'SMS number' },
  invited_users: { label: 'Invited' },
  made_admins: { label: 'Made admins' },
  made_users: { label: 'Made users' },
  renamed_users: { label: 'Names changed' },
  renamed: { label: 'Name changed', format: 'presence' },
  roles: { label: 'Account type', format: 'roles' },
  account_type: { label: 'Account type', format: { 1: 'Team Admin', 2: 'Team User' } },
  ends_on: { label: 'End date', format: 'day' },
  end_dates: { label: 'End dates' },
  is_on: { label: 'On' },
  activity_source: {
    label: 'Source of activity',
    format: { sso: 'Single sign-on', reports: 'Reports by a service token' },
  },
  inactive_days: { label: 'Days without activity' },
  skips_held: { label: 'Leaves out people on legal holds' },
  skips_provisioned: { label: 'Leaves out provisioned members' },
  exception_until: { label: 'Last day', format: 'day' },
  night: { label: 'Night', format: 'day' },
  warned_users: { label: 'Warned' },
  reminded_users: { label: 'Warned again' },
  deactivated_users: { label: 'Deactivated' },
  restored_users: { label: 'Restored' },
  account: { label: 'Account', format: { deleted: 'Deleted', kept: 'Kept: it belongs to another team' } },
  domain: { label: 'Zendesk domain' },
  email_domain: { label: 'Domain' },
  email_domains: { label: 'Email domains' },
  max_uses: { label: 'Maximum uses' },
  uses: { label: 'Uses' },
  members_end_on: { label: 'End date of those who join', format: 'day' },
  canceled: { label: 'Invitations canceled' },
  invitation_link_id: { label: 'Invitation link' },
  issuer: { label: 'Issuer' },
  client_id: { label: 'Client identifier' },
  secret_changed: { label: 'Client secret changed', format: 'presence' },
  enabled: { label: 'On' },
  required: { label: 'Required' },
  jit: { label: 'Adds people at their first sign-in' },
  default_role: { label: 'Account type of new users', format: { team_admin: 'Team Admin', team_user: 'Team User' } },
  group_claim: { label: 'Groups claim' },
  group_count: { label: 'Groups that give an account type' },
  groups_changed: { label: 'Groups changed', format: 'presence' },
  username: { label: 'Username' },
  authentication: { label: 'Authentication', format: { 1: 'Password', 2: 'API token', 3: 'OAuth client' } },
  ruling: { label: 'Current rule' },
  waiting: { label: 'Scheduled rule' },
  device: { label: 'Device' },
  address: { label: 'IP address' },
  last_seen_at: { label: 'Last active', format: 'time' },
  channels: { label: 'Channels' },
  ticket_created: { label: 'Ticket created' },
  ticket_updated: { label: 'Ticket updated' },
  template_changed: { label: 'Template changed' },
  left_behind: { label: 'Items left in Zendesk' },
  channel_ids: { label: 'Channels' },
  channel_id: { label: 'Channel' },
  user_id: { label: 'User' },
  hours: { label: 'Hours' },
  until: { label: 'Until', format: 'time' },
  backed_up_at: { label: 'State of', format: 'time' },
  replaced_until: { label: 'Earlier access until', format: 'time' },
  posts: { label: 'Messages read' },
  file_id: { label: 'File' },
  token_id: { label: 'Service token' },
  scim_token_id: { label: 'Provisioning token' },
  joined_as: {
    label: 'Added as',
    format: {
      created: 'Member with a new account',
      linked: 'Member with an existing account',
      invited: 'Invitee',
      inactive: 'Inactive: not in the team yet',
    },
  },
  attributes: { label: 'Changed' },
  group_id: { label: 'Group' },
  added: { label: 'Added' },
  speak_for_users: { label: 'Speaks for users' },
  expires_at: { label: 'Expires', format: 'time' },
  source_id: { label: 'Source' },
  replaces: { label: 'Replaces' },
  admins_may_create: { label: 'Admins may create tokens' },
  join_id: { label: 'Add current members', format: 'presence' },
  people_done: { label: 'Members' },
  joined: { label: 'Joined' },
  deliveries: { label: 'Deliveries' },
  file_name: { label: 'File name' },
  state: { label: 'State' },
  bulk_action: {
    label: 'Action',
    format: {
      revoke: 'Sign out of all devices',
      deactivate: 'Deactivate',
      reactivate: 'Reactivate',
      remove: 'Remove from team',
      make_admin: 'Make admin',
      make_user: 'Make user',
      set_end: 'Set end date',
      remove_end: 'Remove end date',
      resend: 'Resend invitation',
      cancel_invitation: 'Cancel invitation',
    },
  },
  require_mfa: {
    label: 'Second factor required of',
    format: { none: 'No one', admins: 'Owners and admins', everyone: 'Everyone' },
  },
  idle_minutes: { label: 'Minutes without activity' },
  session_hours: { label: 'Hours since sign-in' },
  break_glass_owners: { label: 'Owners who can enter without single sign-on' },
  networks: { label: 'Networks' },
  recoverable_days: { label: 'Days' },
  waiting_days: { label: 'Days from then on' },
  effective_at: { label: 'Takes effect', format: 'time' },
  skipped: { label: 'Skipped' },
  items: { label: 'Items' },
  item_bytes: { label: 'Size of the items in bytes' },
  objects: { label: 'Objects' },
  user_count: { label: 'Number of users' },
  user_ids: { label: 'Users' },
  channel_count: { label: 'Number of channels' },
  settings: { label: 'Content' },
  from: { label: 'From', format: 'time' },
  to: { label: 'Before', format: 'time' },
  release_at: { label: 'Ends', format: 'time' },
  export_id: { label: 'Export' },
  size: { label: 'Size' },
  sha256: { label: 'Checksum' },
  held: { label: 'Held' },
  created: { label: 'Created' },
  changed: { label: 'Changed' },
  unchanged: { label: 'Unchanged' },
  failed: { label: 'Failed' },
  removed: { label: 'Removed' },
  restored: { label: 'Restored' },
  kept: { label: 'Kept' },
  kind: { label: 'Kind' },
  kinds: { label: 'Kinds' },
  runs: { label: 'Runs' },
  cutoff: { label: 'Deleted before', format: 'time' },
  scanned: { label: 'Checked' },
  deleted: { label: 'Deleted' },
  bytes: { label: 'Bytes' },
  note: { label: 'Note' },
  accepted: { label: 'Accepted' },
  item_ids: { label: 'Items' },
  items_not_listed: { label: 'Items not listed' },
  sessions: { label: 'Sessions' },
  links: { label: 'Links' },
  tokens: { label: 'Service tokens' },
  compliance_access: { label: 'Compliance access' },
  invitation_id: { label: 'Invitation' },
  factor: { label: 'Second factor', format: { totp: 'Authenticator app', passkey: 'Passkey' } },
  reauth_method: {
    label: 'Confirmed with',
    format: { password: 'Password', factor: 'Password and code', passkey: 'Passkey', sso: 'Single sign-on' },
  },
  codes_left: { label: 'Recovery codes left' },
  sign_ups: { label: 'Sign-ups' },
  jobs: { label: 'Jobs' },
  mails: { label: 'Emails' },
  forgotten: { label: 'Account removed' },
  limited: { label: 'Rate limited' },
  reason: { label: 'Reason' },
  invitees: { label: 'Invitees' },
  invited: { label: 'Invited' },
  demo: { label: 'Demo' },
  seed: { label: 'Seed' },
  people: { label: 'Users' },
  messages: { label: 'Messages' },
  files: { label: 'Files' },
  records: { label: 'Records' },
};
