/** Kinds of objects that audit rows are about, with their labels. The kind decides how the target of a row is named. */
export const AUDIT_SUBJECTS = {
  person: 'User',
  entry: 'Directory entry',
  import: 'Directory import',
  channel_join: 'Default channels',
  post: 'Message',
  channel: 'Channel',
  integration: 'Integration',
  delivery: 'Delivery',
  token: 'Service token',
  scim_token: 'Provisioning token',
  invitation_link: 'Invitation link',
  scim_group: 'Provisioned group',
  run: 'Retention run',
  hold: 'Legal hold',
  team: 'Team',
  connection: 'Connected server',
  nothing: '',
} as const satisfies Record<string, string>;
type AuditSubject = keyof typeof AUDIT_SUBJECTS;

interface AuditActionInfo {
  label: string;
  subject: AuditSubject;
  /** The row belongs to a user and not to a team, so no team's log shows it. */
  personal?: true;
}

/** The areas that actions are grouped by, in the order in which the filter offers them. */
export const AUDIT_AREAS = {
  users: 'Users',
  directory: 'Company directory',
  retention: 'Retention',
  holds: 'Legal holds',
  channels: 'Channels',
  connections: 'Connected servers',
  integrations: 'Integrations',
  tokens: 'Service tokens',
  security: 'Sign-in security',
  scim: 'Provisioning',
  content: 'Content',
  session: 'Passwords and sign-in',
  sso: 'Single sign-on',
  signup: 'Sign-up',
  teams: 'Team',
} as const satisfies Record<string, string>;
export type AuditArea = keyof typeof AUDIT_AREAS;

/** Every action that a change writes to the audit log. The names are stored: they are never renamed. */
export const AUDIT_ACTIONS = {
  'users.invited': { label: 'Invited a user', subject: 'person' },
  'users.invited_from_server': { label: 'Invited a user of a connected server', subject: 'person' },
  'users.unlinked_from_server': { label: 'Unlinked a user from a connected server', subject: 'person' },
  'users.added_many': { label: 'Added or edited several users', subject: 'team' },
  'users.joined': { label: 'Added an existing user', subject: 'person' },
  'users.edited': { label: 'Edited a user', subject: 'person' },
  'users.sessions_revoked': { label: 'Signed a user out of all devices', subject: 'person' },
  'users.session_revoked': { label: 'Signed a user out of one device', subject: 'person' },
  'users.deactivated': { label: 'Deactivated a user', subject: 'person' },
  'users.ended': { label: 'Access of a user ended on the end date', subject: 'person' },
  'users.reactivated': { label: 'Reactivated a user', subject: 'person' },
  'users.removed': { label: 'Removed a user from the team', subject: 'person' },
  'users.left': { label: 'Left the team', subject: 'person' },
  'users.owner_added': { label: 'Made a user an owner', subject: 'person' },
  'users.owner_removed': { label: 'Made an owner an admin', subject: 'person' },
  'users.invitation_declined': { label: 'Declined an invitation', subject: 'person' },
  'users.invitation_resent': { label: 'Resent an invitation', subject: 'person' },
  'users.invitation_cancelled': { label: 'Canceled an invitation', subject: 'person' },
  'users.link_created': { label: 'Created an invitation link', subject: 'invitation_link' },
  'users.link_revoked': { label: 'Revoked an invitation link', subject: 'invitation_link' },
  'users.joined_by_link': { label: 'Joined by an invitation link', subject: 'person' },
  'users.bulk_changed': { label: 'Changed several users', subject: 'nothing' },
  'users.factors_reset': { label: "Removed a user's second factors", subject: 'person' },
  'users.exported': { label: "Exported a user's data", subject: 'person' },
  'users.erased': { label: 'Erased a user', subject: 'person' },
  'users.inactivity_saved': { label: 'Changed the inactivity rule', subject: 'team' },
  'users.inactivity_excepted': { label: 'Excepted a user from the inactivity rule', subject: 'person' },
  'users.inactivity_exception_ended': {
    label: 'Ended the exception of a user from the inactivity rule',
    subject: 'person',
  },
  'users.inactivity_confirmed': { label: 'Confirmed a night of the inactivity rule', subject: 'team' },
  'users.inactivity_night': { label: 'Warned or deactivated inactive users', subject: 'team' },
  'users.inactivity_undone': { label: 'Undid a night of the inactivity rule', subject: 'team' },
  'users.inactive_deactivated': { label: 'Deactivated a user without activity', subject: 'person' },
  'users.still_needed': { label: 'Said that access is still needed', subject: 'person' },
  'directory.added': { label: 'Added to the directory', subject: 'entry' },
  'directory.edited': { label: 'Edited the directory', subject: 'entry' },
  'directory.deleted': { label: 'Deleted from the directory', subject: 'entry' },
  'directory.restored': { label: 'Restored to the directory', subject: 'entry' },
  'directory.imported': { label: 'Imported a directory file', subject: 'import' },
  'directory.import_undo_asked': { label: 'Requested an import undo', subject: 'import' },
  'directory.import_undone': { label: 'Import undone', subject: 'import' },
  'retention.saved': { label: 'Changed retention rules', subject: 'team' },
  'retention.run_asked': { label: 'Started a retention run', subject: 'team' },
  'retention.ran': { label: 'Retention run ended', subject: 'run' },
  'retention.recovery_saved': { label: 'Changed how long deleted content can be restored', subject: 'team' },
  'retention.restore_asked': { label: 'Started a restore', subject: 'run' },
  'retention.restored': { label: 'Restore ended', subject: 'run' },
  'retention.destroyed': { label: 'Destroyed archived content', subject: 'run' },
  'holds.created': { label: 'Created a legal hold', subject: 'hold' },
  'holds.saved': { label: 'Changed a legal hold', subject: 'hold' },
  'holds.released': { label: 'Released a legal hold', subject: 'hold' },
  'holds.exported': { label: 'Exported a legal hold', subject: 'hold' },
  'holds.export_ended': { label: 'Export of a legal hold ended', subject: 'hold' },
  'channels.defaults_saved': { label: 'Changed default channels', subject: 'team' },
  'channels.people_added': { label: 'Members added to channels', subject: 'channel_join' },
  'channels.group_saved': { label: 'Changed channels of a group', subject: 'scim_group' },
  'channels.groups_applied': { label: 'Channel members changed by groups', subject: 'team' },
  'channels.posted': { label: 'Posted a message', subject: 'post' },
  'channels.compliance_granted': { label: 'Granted compliance access', subject: 'channel' },
  'channels.compliance_ended': { label: 'Ended compliance access', subject: 'channel' },
  'channels.compliance_read': { label: 'Read by compliance access', subject: 'channel' },
  'connections.accepted': { label: 'Accepted a connected server', subject: 'connection' },
  'connections.left': { label: 'Stopped governing a connected server', subject: 'connection' },
  'connections.paused': { label: 'Paused or resumed a connected server', subject: 'connection' },
  'connections.rules_saved': { label: 'Changed retention on a connected server', subject: 'connection' },
  'connections.defaults_saved': { label: 'Changed default channels on a connected server', subject: 'connection' },
  'connections.asked': { label: 'Changed users on a connected server', subject: 'connection' },
  'connections.work_ended': { label: 'Connected server changed a user', subject: 'connection' },
  'connections.order_opened': { label: 'Ordered deletion on a connected server', subject: 'connection' },
  'connections.order_stopped': { label: 'Stopped deletion on a connected server', subject: 'connection' },
  'connections.order_closed': { label: 'Deletion on a connected server ended', subject: 'connection' },
  'connections.made': { label: 'Connected a server to the team', subject: 'connection' },
  'connections.ended': { label: 'Disconnected a server from the team', subject: 'connection' },
  'integrations.connected': { label: 'Connected an integration', subject: 'integration' },
  'integrations.credentials_saved': { label: 'Changed integration credentials', subject: 'integration' },
  'integrations.saved': { label: 'Changed integration triggers', subject: 'integration' },
  'integrations.tested': { label: 'Sent a test message', subject: 'integration' },
  'integrations.redelivered': { label: 'Redelivered messages', subject: 'delivery' },
  'integrations.disconnected': { label: 'Disconnected an integration', subject: 'integration' },
  'tokens.added': { label: 'Created a service token', subject: 'token' },
  'tokens.removed': { label: 'Removed a service token', subject: 'token' },
  'tokens.policy_saved': { label: 'Changed who creates service tokens', subject: 'team' },
  'security.saved': { label: 'Changed sign-in security', subject: 'team' },
  'scim.token_added': { label: 'Created a provisioning token', subject: 'scim_token' },
  'scim.token_removed': { label: 'Removed a provisioning token', subject: 'scim_token' },
  'scim.user_added': { label: 'Provisioning added a user', subject: 'person' },
  'scim.user_changed': { label: 'Provisioning changed a user', subject: 'person' },
  'scim.user_deactivated': { label: 'Provisioning deactivated a user', subject: 'person' },
  'scim.user_reactivated': { label: 'Provisioning reactivated a user', subject: 'person' },
  'scim.user_removed': { label: 'Provisioning removed a user', subject: 'person' },
  'scim.roles_changed': { label: 'Provisioned groups changed account types', subject: 'nothing' },
  'scim.group_added': { label: 'Provisioning added a group', subject: 'scim_group' },
  'scim.group_changed': { label: 'Provisioning changed a group', subject: 'scim_group' },
  'scim.group_removed': { label: 'Provisioning removed a group', subject: 'scim_group' },
  'content.held': { label: 'Content import left held items as they are', subject: 'nothing' },
  'content.added': { label: 'Content imported', subject: 'nothing' },
  'sso.domain_added': { label: 'Added a domain', subject: 'team' },
  'sso.domain_verified': { label: 'Verified a domain', subject: 'team' },
  'sso.domain_missing': { label: 'DNS record of a domain missing', subject: 'team' },
  'sso.domain_lost': { label: 'Domain no longer verified', subject: 'team' },
  'sso.domain_removed': { label: 'Removed a domain', subject: 'team' },
  'sso.saved': { label: 'Changed single sign-on', subject: 'team' },
  'sso.removed': { label: 'Removed single sign-on', subject: 'team' },
  'sso.turned_off': { label: 'Single sign-on turned off by the operator', subject: 'team' },
  'sso.tested': { label: 'Tested single sign-on', subject: 'team' },
  'sso.linked': { label: 'Linked an account to single sign-on', subject: 'person' },
  'sso.unlinked': { label: 'Removed the link to single sign-on', subject: 'person' },
  'sso.joined': { label: 'Joined by single sign-on', subject: 'person' },
  'sso.invited': { label: 'Invited by single sign-on', subject: 'person' },
  'sso.role_changed': { label: 'Account type changed by single sign-on', subject: 'person' },
  'sso.logged_out': { label: 'Signed out by the identity provider', subject: 'nothing' },
  'session.reset_requested': { label: 'Requested a password reset', subject: 'person' },
  'session.password_reset': { label: 'Set a new password', subject: 'person', personal: true },
  'session.signed_in': { label: 'Signed in', subject: 'person', personal: true },
  'session.signed_out': { label: 'Signed out', subject: 'person', personal: true },
  'session.sign_in_failed': { label: 'Sign-in failed', subject: 'person', personal: true },
  'session.profile_saved': { label: 'Changed their name', subject: 'person', personal: true },
  'session.picture_saved': { label: 'Changed their picture', subject: 'person', personal: true },
  'session.picture_removed': { label: 'Removed their picture', subject: 'person', personal: true },
  'session.email_requested': { label: 'Asked to change their email address', subject: 'person', personal: true },
  'session.email_changed': { label: 'Changed their email address', subject: 'person', personal: true },
  'session.preferences_saved': { label: 'Changed their email preferences', subject: 'person', personal: true },
  'session.data_exported': { label: 'Exported their own data', subject: 'person', personal: true },
  'session.password_changed': { label: 'Changed their password', subject: 'person', personal: true },
  'session.ended': { label: 'Signed out their other devices', subject: 'person', personal: true },
  'session.reauthentication_failed': { label: "Failed to confirm that it's them", subject: 'person', personal: true },
  'session.reauthenticated': { label: "Confirmed that it's them", subject: 'person', personal: true },
  'session.factor_added': { label: 'Added a second factor', subject: 'person', personal: true },
  'session.factor_removed': { label: 'Removed a second factor', subject: 'person', personal: true },
  'session.factors_reset': { label: 'Removed all second factors', subject: 'person', personal: true },
  'session.recovery_codes_renewed': { label: 'Replaced their recovery codes', subject: 'person', personal: true },
  'session.recovery_code_used': { label: 'Used a recovery code', subject: 'person', personal: true },
  'session.all_ended': { label: 'Signed out all users', subject: 'nothing', personal: true },
  'sso.break_glass': { label: 'Entered without single sign-on', subject: 'person' },
  'signup.requested': { label: 'Requested a new team', subject: 'nothing', personal: true },
  'signup.finished': { label: 'Completed the team sign-up', subject: 'person' },
  'signup.invitation_accepted': { label: 'Accepted an invitation', subject: 'person' },
  'teams.created': { label: 'Created the team', subject: 'person' },
  'teams.saved': { label: 'Changed name or time zone of the team', subject: 'team' },
  'teams.filled': { label: 'Filled the team with sample data', subject: 'team' },
  'teams.restored': { label: 'Restored from a backup', subject: 'team' },
} as const satisfies Record<`${AuditArea}.${string}`, AuditActionInfo>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;

const ALL = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** Undefined for an unknown action, such as one of a newer version. */
export function findAuditAction(action: string): AuditActionInfo | undefined {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : undefined;
}

/** Actions of an area that a team's log can show. */
export function listAuditActions(area: AuditArea): AuditAction[] {
  return ALL.filter((action) => action.startsWith(`${area}.`) && findAuditAction(action)?.personal === undefined);
}

/**
 * The actions that a filter selects: a comma-separated list of actions and areas, where an area selects all its actions.
 * Undefined if an item is neither an action nor an area.
 */
export function parseAuditActions(filter: string): AuditAction[] | undefined {
  const found = filter
    .split(',')
    .map((item) => ALL.filter((action) => action === item || action.startsWith(`${item}.`)));
  return found.some((actions) => actions.length === 0) ? undefined : [...new Set(found.flat())].sort();
}
