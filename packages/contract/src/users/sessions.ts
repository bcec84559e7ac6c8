import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id } from '../api/fields.ts';
import { revokeSessions } from './users.ts';

const TeamMemberParams = z.object({ teamId: Id, userId: z.string() });

/** Times are milliseconds since 1970. The id can't be used to sign in. */
export const Session = z.object({
  id: Id,
  /** Browser and operating system, such as 'Firefox on Linux'. */
  device: z.string(),
  /** Network address of the sign-in. */
  address: z.string(),
  created_at: z.int(),
  /** Last use, to the minute. */
  last_seen_at: z.int(),
  /** True for the session of this request. */
  is_current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** Last used first, at most 20. Refuses pending invitees and Zendesk users. */
export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/teams/:teamId/users/:userId/sessions',
  summary: 'List the active sessions of a user.',
  params: TeamMemberParams,
  answer: z.object({ records: z.array(Session) }),
});

/**
 * Revokes one session, on every node, from the next request on; password reset links stay. Answers `record.not_found` if the
 * user has no such active session, and refuses the session of the request itself.
 */
export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'POST',
  path: '/teams/:teamId/users/:userId/sessions/revoke',
  summary: 'Sign a user out of one device.',
  params: TeamMemberParams,
  body: z.object({ session_id: Id }),
  answer: revokeSessions.answer,
});
