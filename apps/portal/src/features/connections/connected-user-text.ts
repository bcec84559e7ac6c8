import type { ConnectedUser } from '@steward/contract/connections';
import type { WorkAction } from '@steward/contract/connections/fields';
import type { Tone } from '#platform/feedback/state-badge.tsx';

interface ActionText {
  label: string;
  /** The effect of each action at the server. */
  effect: string;
  isDangerous: boolean;
}

export const ACTIONS: Readonly<Record<WorkAction, ActionText>> = {
  revoke_sessions: {
    label: 'Revoke all sessions',
    effect:
      'All sessions there end, then the personal access tokens are disabled. Bots and webhooks that the account created keep working.',
    isDangerous: true,
  },
  send_password_reset: {
    label: 'Send password reset',
    effect: 'The server sends its own email with a link to choose a new password. The sessions go on.',
    isDangerous: false,
  },
  deactivate: {
    label: 'Deactivate',
    effect: "The account can't sign in there anymore, and its sessions end. What was written stays.",
    isDangerous: true,
  },
  reactivate: { label: 'Reactivate', effect: 'The account can sign in there again.', isDangerous: false },
  remove_from_team: {
    label: 'Remove from team',
    effect:
      "The account leaves the team and all of its channels there. Channel memberships don't come back if it is added again.",
    isDangerous: true,
  },
  add_to_channels: {
    label: 'Add to default channels',
    effect: 'The account joins the default channels that were chosen for this server.',
    isDangerous: false,
  },
};

type LastWork = NonNullable<ConnectedUser['last_work']>;

export const OUTCOMES: Readonly<Record<LastWork['remote'], { word: string; tone: Tone }>> = {
  waiting: { word: 'Waiting', tone: 'active' },
  done: { word: 'Done', tone: 'success' },
  refused: { word: 'Refused', tone: 'warning' },
};

export function getAccountState({ is_bot, deactivated_at }: ConnectedUser): { word: string; tone: Tone } {
  if (deactivated_at > 0) return { word: 'Deactivated', tone: 'quiet' };
  return is_bot ? { word: 'Bot', tone: 'info' } : { word: 'Active', tone: 'success' };
}

export const ACCOUNT_STATES: Readonly<Record<'invited' | 'deactivated' | 'left', { word: string; tone: Tone }>> = {
  invited: { word: 'Invited', tone: 'active' },
  deactivated: { word: 'Deactivated', tone: 'quiet' },
  left: { word: 'Left the team', tone: 'quiet' },
};

export function getUserName({ name, username }: Pick<ConnectedUser, 'name' | 'username'>): string {
  return name === '' ? username : name;
}

/** The reason why an action isn't requested for a user; '' if it is. */
export function getRefusal({ actions, reason }: ConnectedUser, action: WorkAction): string {
  if (actions.includes(action)) return '';
  return reason === '' ? "This isn't possible for this account now." : reason;
}

/** The server's words for roles, such as system_admin or team_user. */
export function formatRoles(roles: readonly string[]): string {
  return roles.length === 0 ? '–' : roles.map((role) => role.replaceAll('_', ' ')).join(', ');
}
