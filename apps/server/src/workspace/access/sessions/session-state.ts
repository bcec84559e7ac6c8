import type { SessionMethod } from '@steward/contract/session';

/** What the team asks of the sessions that open it; null for nothing. */
export interface TeamSecurity {
  require_mfa: 'none' | 'admins' | 'everyone';
  /** Null for the limits of the server. */
  idle_minutes: number | null;
  session_hours: number | null;
  /** In CIDR notation; empty for all. */
  networks: string[];
  required_connection_id: string | null;
}

/** How a session began and how it has been used since, as far as teams ask. */
export interface SessionState {
  method: SessionMethod;
  /** The only team that the session opens; null for all teams of the person. */
  only_team_id: string | null;
  connection_id: string | null;
  /** Since the person last proved who they are, in seconds. */
  auth_seconds: number;
  has_second_factor: boolean;
  /** The longest time without a request since then, in seconds. */
  idle_seconds: number;
}
