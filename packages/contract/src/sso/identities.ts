import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

/**
 * Removes the link between a user of the team, or someone invited, and their user of the identity provider, and ends the sessions that
 * began with it. The next sign-in there links them again, by the rules of a first one. Only for owners.
 */
export const unlinkIdentity = endpoint({
  name: 'unlinkIdentity',
  method: 'DELETE',
  path: '/admin/teams/:teamId/users/:userId/sso',
  summary: 'Remove the link of a user to single sign-on.',
  params: z.object({ teamId: Id, userId: z.string() }),
  answer: Done.extend({ revoked: z.int() }),
});
