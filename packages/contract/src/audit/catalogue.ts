/** What a line of the audit log is about, which says how its target is called. */
export type AuditSubject =
  | 'person'
  | 'entry'
  | 'import'
  | 'channel_join'
  | 'post'
  | 'integration'
  | 'delivery'
  | 'token'
  | 'run'
  | 'team'
  | 'nothing';

interface AuditWords {
  /** What was done, in a few words for people. */
  words: string;
  about: AuditSubject;
  /** It belongs to a person and to no team, so that no team's log shows it. */
  personal?: true;
}

/** The parts of the product that actions are named after, in the order in which they are offered as filters. */
export const AUDIT_ROOMS = {
  users: 'People',
  directory: 'Company directory',
  retention: 'Retention',
  channels: 'Channels',
  integrations: 'Integrations',
  tokens: 'Service tokens',
  content: 'Content',
  session: 'Passwords and sign-in',
  signup: 'Sign-up',
  teams: 'Team',
} as const satisfies Record<string, string>;
export type AuditRoom = keyof typeof AUDIT_ROOMS;

/** Every action that a change writes into the audit log, with its words for people (trust G17). */
export const AUDIT_ACTIONS = {
  'users.invited': { words: 'Invited a person', about: 'person' },
  'users.joined': { words: 'Added a person who has an account', about: 'person' },
  'users.edited': { words: 'Edited a person', about: 'person' },
  'users.sessions_revoked': { words: 'Signed a person out everywhere', about: 'person' },
  'users.session_revoked': { words: 'Signed a person out of one device', about: 'person' },
  'users.invitation_resent': { words: 'Sent an invitation again', about: 'person' },
  'users.invitation_cancelled': { words: 'Cancelled an invitation', about: 'person' },
  'directory.added': { words: 'Added to the directory', about: 'entry' },
  'directory.edited': { words: 'Edited the directory', about: 'entry' },
  'directory.deleted': { words: 'Deleted from the directory', about: 'entry' },
  'directory.imported': { words: 'Uploaded a directory file', about: 'import' },
  'directory.import_undo_asked': { words: 'Asked to undo an upload', about: 'import' },
  'directory.import_undone': { words: 'An upload was undone', about: 'import' },
  'retention.saved': { words: 'Changed retention', about: 'team' },
  'retention.run_asked': { words: 'Started retention', about: 'team' },
  'retention.ran': { words: 'Retention ran', about: 'run' },
  'channels.defaults_saved': { words: 'Changed the default channels', about: 'team' },
  'channels.people_added': { words: 'People were added to channels', about: 'channel_join' },
  'channels.posted': { words: 'Posted a message', about: 'post' },
  'integrations.connected': { words: 'Connected an integration', about: 'integration' },
  'integrations.credentials_saved': { words: 'Changed integration credentials', about: 'integration' },
  'integrations.saved': { words: 'Changed integration triggers', about: 'integration' },
  'integrations.tested': { words: 'Sent a test message', about: 'integration' },
  'integrations.redelivered': { words: 'Posted deliveries again', about: 'delivery' },
  'integrations.disconnected': { words: 'Disconnected an integration', about: 'integration' },
  'tokens.added': { words: 'Made a service token', about: 'token' },
  'tokens.removed': { words: 'Removed a service token', about: 'token' },
  'content.added': { words: 'Content was fed in', about: 'nothing' },
  'session.reset_requested': { words: 'Sent a password reset', about: 'person' },
  'session.password_reset': { words: 'Set a new password', about: 'person', personal: true },
  'session.signed_in': { words: 'Signed in', about: 'person', personal: true },
  'session.signed_out': { words: 'Signed out', about: 'person', personal: true },
  'session.sign_in_failed': { words: 'A sign-in was refused', about: 'person', personal: true },
  'session.all_ended': { words: 'Signed everybody out', about: 'nothing', personal: true },
  'signup.requested': { words: 'Asked for a new team', about: 'nothing', personal: true },
  'signup.finished': { words: 'Signed the team up', about: 'person' },
  'signup.invitation_accepted': { words: 'Accepted the invitation', about: 'person' },
  'teams.created': { words: 'Made the team', about: 'person' },
  'teams.filled': { words: 'Filled the team with made-up data', about: 'team' },
} as const satisfies Record<`${AuditRoom}.${string}`, AuditWords>;

/** Name of an action, as in 'users.invited'. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

const ALL = Object.keys(AUDIT_ACTIONS) as AuditAction[];

/** The words of an action; undefined for one that is not known (any more). */
export function auditWords(action: string): AuditWords | undefined {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : undefined;
}

/** Actions of a room that a team's log can show, in the order of the catalogue. */
export function auditActionsIn(room: AuditRoom): AuditAction[] {
  return ALL.filter((action) => action.startsWith(`${room}.`) && auditWords(action)?.personal === undefined);
}

/**
 * The actions that a filter means: a list with commas between, each an action or a room, which stands for all its actions.
 * Sorted, each once; undefined where a word is neither.
 */
export function parseAuditActions(filter: string): AuditAction[] | undefined {
  const found = filter
    .split(',')
    .map((word) => ALL.filter((action) => action === word || action.startsWith(`${word}.`)));
  return found.some((actions) => actions.length === 0) ? undefined : [...new Set(found.flat())].sort();
}
