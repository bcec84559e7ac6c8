import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';
import {
  IDLE_MINUTES_MAX,
  IDLE_MINUTES_MIN,
  NETWORKS_MAX,
  OWNERS_NAMED_MAX,
  SESSION_HOURS_MAX,
  SESSION_HOURS_MIN,
  SMALL_BODY_MAX,
} from './api/limits.ts';

const TeamParams = z.object({ teamId: Id });

const range = (least: number, most: number) => {
  const text = `must be a whole number from ${least} to ${most}`;
  return z.int(text).min(least, text).max(most, text);
};

/** CIDR notation, IPv4 or IPv6; an address alone is the network of that address. */
const Network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], {
  error: 'must be an address or a network, such as 203.0.113.0/24',
});

export const SecurityPolicy = z.object({
  require_mfa: z.enum(['none', 'admins', 'everyone']),
  /** A session without a request for so long must be confirmed; null for the server's limit. */
  idle_minutes: range(IDLE_MINUTES_MIN, IDLE_MINUTES_MAX).nullable(),
  /** A session must be confirmed when it is this old; null for the server's limit. */
  session_hours: range(SESSION_HOURS_MIN, SESSION_HOURS_MAX).nullable(),
  /** Networks that the team can be opened from; empty for all. They don't apply to service tokens and provisioning. */
  networks: z.array(Network).max(NETWORKS_MAX, `must have at most ${NETWORKS_MAX} networks`),
  /**
   * Ids of the owners who may open the team with password and second factor, or a passkey, while it requires single sign-on.
   * Absent keeps those who are named.
   */
  break_glass_owners: z.array(Id).max(OWNERS_NAMED_MAX, `must have at most ${OWNERS_NAMED_MAX} owners`).optional(),
});
export type SecurityPolicy = z.infer<typeof SecurityPolicy>;

export const SavedSecurityPolicy = SecurityPolicy.extend({
  /** CIDR notation with the bits of hosts cleared. */
  networks: z.array(z.string()),
  break_glass_owners: z.array(Id),
  /** The active owners of the team; only those with a second factor can be named. */
  owners: z.array(z.object({ id: Id, name: z.string(), email: z.string(), has_second_factor: z.boolean() })),
  requires_sso: z.boolean(),
  your_address: z.string(),
  /** The server's limits, which are the longest that a team can have. */
  server_idle_minutes: z.int(),
  server_session_hours: z.int(),
});
export type SavedSecurityPolicy = z.infer<typeof SavedSecurityPolicy>;

/** Only for owners. */
export const getSecurityPolicy = endpoint({
  name: 'getSecurityPolicy',
  method: 'GET',
  path: '/admin/teams/:teamId/security',
  summary: 'Get what a team demands of sessions.',
  params: TeamParams,
  answer: SavedSecurityPolicy,
});

/**
 * Replaces the policy; it applies from the next request of every session. Only for owners with a recently confirmed session.
 * Networks that exclude the caller's address are refused with `security.locks_you_out`, and naming anyone but an active owner
 * with a second factor with `security.cannot_be_named`. While single sign-on is required, one owner has to stay named
 * (`sso.no_break_glass`). Owners are emailed when the named owners change.
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
