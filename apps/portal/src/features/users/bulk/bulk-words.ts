import type { ListedUser, UserAction } from '@steward/contract/users';
import type { BulkAction, BulkJob, SkipReason } from '@steward/contract/users/bulk';
import { formatDay, formatNumber } from '#platform/time/format.ts';

interface ActionWords {
  label: string;
  /** The text has a number of users, such as “3 users”. */
  ask: (users: string, endsOn?: string) => string;
  /** A user with one of these abilities can be changed. */
  abilities: readonly UserAction[];
  /** The text describes the effect before the action is confirmed. */
  effect: string;
  /** The text follows a number of users. */
  done: string;
  isDanger?: true;
}

/** The actions are in the order of the menu. */
export const BULK_ACTIONS: Readonly<Record<BulkAction, ActionWords>> = {
  make_admin: {
    label: 'Make admin',
    ask: (users) => `Make ${users} admins of this team?`,
    abilities: ['make_admin'],
    effect: 'They can manage this team in the admin portal.',
    done: 'are now admins',
  },
  make_user: {
    label: 'Make user',
    ask: (users) => `Make ${users} ordinary users?`,
    abilities: ['make_user'],
    effect: 'They lose access to the admin portal, and their service tokens stop working.',
    done: 'are now users',
  },
  set_end: {
    label: 'Set end date',
    ask: (users, endsOn = '') => `Set the end date of ${users} to ${formatDay(endsOn)}?`,
    abilities: ['edit'],
    effect: 'Their access ends when that day is over in the time zone of the team. They get an email before.',
    done: 'have the end date now',
  },
  remove_end: {
    label: 'Remove end date',
    ask: (users) => `Remove the end date of ${users}?`,
    abilities: ['edit'],
    effect: 'Their access no longer ends automatically.',
    done: 'have no end date now',
  },
  resend: {
    label: 'Resend invitation',
    ask: (users) => `Invite ${users} again?`,
    abilities: ['resend_invitation'],
    effect: 'Each gets an email with a new link. Earlier links keep working.',
    done: 'were invited again',
  },
  cancel_invitation: {
    label: 'Cancel invitation',
    ask: (users) => `Cancel the invitations of ${users}?`,
    abilities: ['cancel_invitation'],
    effect: 'Their links stop working. You can invite them again.',
    done: 'are no longer invited',
    isDanger: true,
  },
  revoke: {
    label: 'Sign out of all devices',
    ask: (users) => `Sign ${users} out of all devices?`,
    abilities: ['revoke_sessions'],
    effect: 'All their sessions and unused password reset links end. They can sign in again.',
    done: 'were signed out',
    isDanger: true,
  },
  reactivate: {
    label: 'Reactivate',
    ask: (users) => `Reactivate ${users}?`,
    abilities: ['reactivate'],
    effect: 'They get the roles and channels back that they had. They have to sign in again.',
    done: 'were reactivated',
  },
  deactivate: {
    label: 'Deactivate',
    ask: (users) => `Deactivate ${users}?`,
    abilities: ['deactivate'],
    effect: 'Their sessions, password reset links and service tokens end. You can reactivate them later.',
    done: 'were deactivated',
    isDanger: true,
  },
  remove: {
    label: 'Remove from team',
    ask: (users) => `Remove ${users} from this team?`,
    abilities: ['remove', 'cancel_invitation'],
    effect:
      "Their sessions, links, service tokens and channel memberships end. What they wrote stays. This can't be undone.",
    done: 'were removed',
    isDanger: true,
  },
};

const ALL = Object.keys(BULK_ACTIONS) as BulkAction[];

/** An action is listed if at least one of the users allows it. */
export function listActions(users: readonly ListedUser[]): BulkAction[] {
  const abilities = new Set(users.flatMap((user) => user.abilities));
  return ALL.filter((action) => BULK_ACTIONS[action].abilities.some((ability) => abilities.has(ability)));
}

/** The abilities of users who aren't loaded are unknown, so every action is listed. */
export function listAllActions(): BulkAction[] {
  return ALL;
}

export function formatUsers(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'user' : 'users'}`;
}

const REASONS: Readonly<Record<SkipReason, readonly [one: string, many: string]>> = {
  owner: ['owner', 'owners'],
  self: ['yourself', 'yourself'],
  zendesk: ['Zendesk user', 'Zendesk users'],
  last_owner: ['last owner', 'last owners'],
  state: ["user it doesn't apply to", "users it doesn't apply to"],
  not_found: ['user who left', 'users who left'],
};

/** The result looks like “Skipped: 1 owner, 2 Zendesk users.” and is empty if no one is skipped. */
export function formatSkipped(skipped: BulkJob['skipped']): string {
  if (skipped.length === 0) return '';
  const parts = skipped.map(({ reason, count }) => {
    const [one, many] = REASONS[reason];
    return reason === 'self' ? one : `${formatNumber(count)} ${count === 1 ? one : many}`;
  });
  return `Skipped: ${parts.join(', ')}.`;
}

export function formatResult({ action, state, done, skipped, failed }: BulkJob): string {
  const changed = `${formatUsers(done)} ${done === 1 ? toSingular(BULK_ACTIONS[action].done) : BULK_ACTIONS[action].done}.`;
  const notChanged = failed.length > 0 ? `${formatUsers(failed.length)} could not be changed.` : '';
  const stopped = state === 'failed' ? "The rest was stopped, because you're no longer an admin of this team." : '';
  return [changed, formatSkipped(skipped), notChanged, stopped].filter(Boolean).join(' ');
}

function toSingular(words: string): string {
  return words
    .replace(/^are now admins$/, 'is now an admin')
    .replace(/^are now users$/, 'is now a user')
    .replace(/^have /, 'has ')
    .replace(/^are /, 'is ')
    .replace(/^were /, 'was ');
}
