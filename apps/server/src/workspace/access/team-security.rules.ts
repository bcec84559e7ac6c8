import { STEP_UP_MINUTES } from '@steward/contract/api/limits';
import type { SessionMethod } from '@steward/contract/session';
import { isAdminOfTeam, isOwnerOfTeam } from '@steward/contract/users/roles';
import { isInNetworks } from '#platform/http/network.ts';

/** The rules of a team for the sessions that open it. */
export interface TeamSecurity {
  require_mfa: 'none' | 'admins' | 'everyone';
  /** Null for the limits of the server. */
  idle_minutes: number | null;
  session_hours: number | null;
  /** In CIDR notation; empty for all. */
  networks: string[];
  required_connection_id: string | null;
}

export const NO_RULES: Readonly<TeamSecurity> = {
  require_mfa: 'none',
  idle_minutes: null,
  session_hours: null,
  networks: [],
  required_connection_id: null,
};

/** The rules of a team for one session of a member. */
export interface EntryRules extends TeamSecurity {
  /** The user is named as an owner who may enter without single sign-on. */
  is_break_glass: boolean;
  /** The team has ended this session for itself. */
  is_signed_out: boolean;
}

/** The facts about a session that these rules are about. */
export interface SessionState {
  method: SessionMethod;
  /** The only team that the session opens; null for all teams of the user. */
  only_team_id: string | null;
  connection_id: string | null;
  /** Seconds since the user last proved their identity. */
  auth_seconds: number;
  has_second_factor: boolean;
  /** The longest time without a request since then, in seconds. */
  idle_seconds: number;
}

export interface TeamEntry {
  session: SessionState;
  roles: readonly string[];
  address: string;
}

export type TeamRefusal = 'security.network' | 'sso.required' | 'mfa.enroll_required' | 'session.reauth_required';

/**
 * Returns the first rule of a team that a session breaks, in the order in which refusals are answered. Owners who are named
 * for it may open the team with a second factor and without single sign-on, in case the identity provider doesn't work.
 */
export function findTeamRefusal(security: EntryRules | null, entry: TeamEntry): TeamRefusal | null {
  if (security === null) return null;
  const { session, roles, address } = entry;
  if (security.networks.length > 0 && !isInNetworks(address, security.networks)) return 'security.network';
  if (!meetsSso(security, entry)) return 'sso.required';
  if (!meetsFactors(security, session, roles)) return 'mfa.enroll_required';
  return isWithinLimits(security, session) ? null : 'session.reauth_required';
}

function meetsSso(security: EntryRules, { session, roles }: TeamEntry): boolean {
  const { required_connection_id: required, is_break_glass } = security;
  if (required === null || session.connection_id === required) return true;
  return is_break_glass && isOwnerOfTeam(roles) && session.only_team_id === null && session.has_second_factor;
}

// The identity provider of a team decides on factors itself.
function meetsFactors(security: TeamSecurity, session: SessionState, roles: readonly string[]): boolean {
  return !requiresFactor(security, roles) || session.has_second_factor || session.method === 'sso';
}

function requiresFactor({ require_mfa }: TeamSecurity, roles: readonly string[]): boolean {
  return require_mfa === 'everyone' || (require_mfa === 'admins' && isAdminOfTeam(roles));
}

function isWithinLimits({ idle_minutes, session_hours, is_signed_out }: EntryRules, session: SessionState): boolean {
  if (is_signed_out) return false;
  if (idle_minutes !== null && session.idle_seconds > idle_minutes * 60) return false;
  return session_hours === null || session.auth_seconds <= session_hours * 3600;
}

/** Recent enough for a dangerous change. */
export function isRecent({ auth_seconds }: SessionState): boolean {
  return auth_seconds <= STEP_UP_MINUTES * 60;
}
