import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

/**
 * Removes all second factors of a user who lost them, ends their sessions and emails them. Only for owners, never on oneself
 * (`users.own_account`), and not for a user of whom another team requires a second factor or who owns another team
 * (`users.factor_needed_elsewhere`).
 */
export const resetFactors = endpoint({
  name: 'resetFactors',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/factors/reset',
  summary: 'Remove the second factors of a user who lost them.',
  params: z.object({ teamId: Id, userId: z.string() }),
  answer: Done.extend({ revoked: z.int() }),
});
