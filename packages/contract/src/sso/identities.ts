import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';

/**
 * Removes the link of a member or invitee to their user of the identity provider, and ends the sessions that began with it. The
 * next sign-in links them again, by the rules of a first sign-in. Only for owners.
 */
export const unlinkIdentity = endpoint({
  name: 'unlinkIdentity',
  method: 'DELETE',
  path: '/admin/teams/:teamId/users/:userId/sso',
  summary: 'Remove the link of a user to single sign-on.',
  params: z.object({ teamId: Id, userId: z.string() }),
  answer: Done.extend({ revoked: z.int() }),
});

export const OwnLink = z.object({
  team_id: Id,
  team_name: z.string(),
  /** Name of the identity provider for its users. */
  provider: z.string(),
  is_linked: z.boolean(),
});
export type OwnLink = z.infer<typeof OwnLink>;

/** Only teams whose single sign-on is on. Not for sessions of single sign-on. */
export const listOwnLinks = endpoint({
  name: 'listOwnLinks',
  method: 'GET',
  path: '/users/me/sso',
  summary: 'List the teams of the user with single sign-on, and whether the user is linked there.',
  answer: z.object({ records: z.array(OwnLink) }),
});

/**
 * Returns the address at which the user links single sign-on of a team; the browser has to open it within ten minutes. Owners and
 * admins can't be linked by their address alone. 404 if the user isn't a member or single sign-on is off.
 */
export const linkOwnAccount = endpoint({
  name: 'linkOwnAccount',
  method: 'POST',
  path: '/users/me/sso/:teamId',
  summary: 'Begin to link the signed-in user to single sign-on of a team.',
  params: z.object({ teamId: Id }),
  answer: z.object({ sso_url: z.string() }),
});
