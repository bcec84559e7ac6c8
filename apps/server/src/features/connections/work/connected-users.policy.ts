import type { WorkAction } from '@steward/contract/connections/fields';

/** A user of a connected server, as far as actions depend on it. */
export interface ConnectedAccount {
  team_ids: readonly string[];
  is_bot: boolean;
  owns_bots: boolean;
  is_protected: boolean;
  /** 0 if active. */
  deactivated_at: number;
}

interface Rights {
  /** The team of the server in which the caller acts. */
  remoteTeamId: string;
  /** Teams of the server that are mapped, and in whose teams here the caller is an admin. */
  adminOf: ReadonlySet<string>;
  hasDefaultChannels: boolean;
}

const PROTECTED = 'Nothing is changed for system admins of the server, bots, or the owner of the bridge.';
const OTHER_TEAMS =
  'This account also belongs to teams that you do not manage here. You can remove it from this team instead.';
const OWNS_BOTS = 'This account owns bots, which would stop. You can remove it from this team instead.';

/** The actions that the caller may ask for, and why deactivating and reactivating aren't among them; '' if one is. */
export function listWorkActions(user: ConnectedAccount, rights: Rights): { actions: WorkAction[]; reason: string } {
  if (user.is_protected || user.is_bot) return { actions: [], reason: PROTECTED };
  if (!user.team_ids.includes(rights.remoteTeamId)) return { actions: [], reason: 'This account left the team.' };
  const isActive = user.deactivated_at === 0;
  const reason = findReason(user, rights);
  const lifecycle: WorkAction[] = reason === '' ? [isActive ? 'deactivate' : 'reactivate'] : [];
  const actions: WorkAction[] = [
    'revoke_sessions',
    ...(isActive ? (['send_password_reset'] as const) : []),
    ...lifecycle,
    'remove_from_team',
    ...(isActive && rights.hasDefaultChannels ? (['add_to_channels'] as const) : []),
  ];
  return { actions, reason };
}

function findReason({ team_ids, owns_bots }: ConnectedAccount, { adminOf }: Rights): string {
  if (!team_ids.every((id) => adminOf.has(id))) return OTHER_TEAMS;
  return owns_bots ? OWNS_BOTS : '';
}
