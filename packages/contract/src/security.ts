import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';
import {
  IDLE_MINUTES_MAX,
  IDLE_MINUTES_MIN,
  NETWORKS_MAX,
  SESSION_HOURS_MAX,
  SESSION_HOURS_MIN,
  SMALL_BODY_MAX,
} from './api/limits.ts';

const TeamParams = z.object({ teamId: Id });

const range = (least: number, most: number) => {
  const text = `must be a whole number from ${least} to ${most}`;
  return z.int(text).min(least, text).max(most, text);
};

/** A network in CIDR notation, IPv4 or IPv6; an address alone is the network of that address. */
const Network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'must be an address or a network, such as 203.0.113.0/24',
});

/** What a team demands of sessions that open it. */
export const SecurityPolicy = z.object({
  /** Who needs a second factor. */
  require_mfa: z.enum(['none', 'admins', 'everyone']),
  /** A session that was not used for so long must be confirmed; null for the server's limit. */
  idle_minutes: range(IDLE_MINUTES_MIN, IDLE_MINUTES_MAX).nullable(),
  /** A session must be confirmed so long after it began; null for the server's limit. */
  session_hours: range(SESSION_HOURS_MIN, SESSION_HOURS_MAX).nullable(),
  /** Networks that the team can be opened from; empty for all. Service tokens and provisioning are not bound to them. */
  networks: z.array(Network).max(NETWORKS_MAX, `must have at most ${NETWORKS_MAX} networks`),
});
export type SecurityPolicy = z.infer<typeof SecurityPolicy>;

/** The policy, with what a form needs besides. */
export const SavedSecurityPolicy = SecurityPolicy.extend({
  /** Networks in their normal form. */
  networks: z.array(z.string()),
  /** The address that the request came from. */
  your_address: z.string(),
  /** The server's limits of a session: no team's are longer. */
  server_idle_minutes: z.int(),
  server_session_hours: z.int(),
});
export type SavedSecurityPolicy = z.infer<typeof SavedSecurityPolicy>;

/** Reads what the team demands of sessions. Only for owners. */
export const getSecurityPolicy = endpoint({
  name: 'getSecurityPolicy',
  method: 'GET',
  path: '/admin/teams/:teamId/security',
  summary: 'Get what a team demands of sessions.',
  params: TeamParams,
  answer: SavedSecurityPolicy,
});

/**
 * Saves it as a whole; it applies from the next request of every session. Only for owners, who proved recently who they are. Networks that
 * leave out the caller are refused with `security.locks_you_out`.
 */
export const saveSecurityPolicy = endpoint({
  name: 'saveSecurityPolicy',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/admin/teams/:teamId/security',
  summary: 'Change what a team demands of sessions.',
  params: TeamParams,
  body: SecurityPolicy,
  answer: SavedSecurityPolicy,
});
