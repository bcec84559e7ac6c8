import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Id } from '../api/fields.ts';
import { revokeSessions } from './users.ts';

const TeamMemberParams = z.object({ teamId: Id, userId: z.string() });

/** A place where a person is signed in; instants are milliseconds since 1970. Its id names it and opens nothing. */
export const Session = z.object({
  id: Id,
  /** Browser and system in words, as 'Firefox on Linux'. */
  device: z.string(),
  /** Network address that it was begun from. */
  address: z.string(),
  created_at: z.int(),
  /** When it was last used, to the minute. */
  last_seen_at: z.int(),
  /** The session that asks. */
  is_current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** Where a person is signed in now, the last used first; at most 20. Refuses whom `revokeSessions` refuses, but oneself. */
export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/teams/:teamId/users/:userId/sessions',
  summary: 'Where a person is signed in.',
  params: TeamMemberParams,
  answer: z.object({ records: z.array(Session) }),
});

/**
 * Ends one session, on every node, from the next request on; mailed reset links stay. One that has ended already, is of
 * somebody else or never was is `record.not_found`; the session that asks is refused, any other of one's own is not.
 */
export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'POST',
  path: '/teams/:teamId/users/:userId/sessions/revoke',
  summary: 'Sign a person out on one device.',
  params: TeamMemberParams,
  body: z.object({ session_id: Id }),
  answer: revokeSessions.answer,
});
