import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

/**
 * Removes all second factors of a user who lost them, ends their sessions and emails them. Only for owners, never on oneself
 * (`users.own_account`), and not if another team demands a second factor of the user, or they own it (`users.factor_needed_elsewhere`).
 */
export const resetFactors = endpoint({
  name: 'resetFactors',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/factors/reset',
  summary: 'Remove the second factors of a user who lost them.',
  params: z.object({ teamId: Id, userId: z.string() }),
  answer: Done.extend({ revoked: z.int() }),
});
