import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id } from '../api/fields.ts';
import { AccountType } from '../users/roles.ts';

const TeamParams = z.object({ teamId: Id });

/** Times are milliseconds since 1970. */
export const OwnInvitation = z.object({
  team_id: Id,
  team_name: z.string(),
  /** Name of the user who sent the invitation, or their address if they have no name; '' if the user is no longer known. */
  invited_by: z.string(),
  invited_at: z.int(),
  account_type: AccountType,
});
export type OwnInvitation = z.infer<typeof OwnInvitation>;

export const listOwnInvitations = endpoint({
  name: 'listOwnInvitations',
  method: 'GET',
  path: '/users/me/invitations',
  summary: 'List the invitations you have not answered.',
  answer: z.object({ records: z.array(OwnInvitation) }),
});

/** Accepts or declines an invitation. Answers `record.not_found` once it was answered or canceled. */
export const answerInvitation = endpoint({
  name: 'answerInvitation',
  method: 'POST',
  path: '/users/me/invitations/:teamId',
  summary: 'Accept or decline an invitation to a team.',
  params: TeamParams,
  body: z.object({ accept: z.boolean() }),
  answer: Done,
});

/**
 * Leaves a team. Sessions go on, for other teams and the account; service tokens that the user created in this team stop.
 * Refuses the last owner (`users.last_owner`); repeated, it answers `record.not_found`.
 */
export const leaveTeam = endpoint({
  name: 'leaveTeam',
  method: 'DELETE',
  path: '/users/me/teams/:teamId',
  summary: 'Leave a team.',
  params: TeamParams,
  answer: Done,
});
