import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, listAnswer } from '../api/fields.ts';

const InviteeParams = z.object({ teamId: Id, userId: z.string() });

export const MailState = z.enum(['waiting', 'sent', 'failed']);
export type MailState = z.infer<typeof MailState>;

/** The newest invitation of a pending invitee; fields are `null` if its links or emails were removed. */
export const Invitation = z.object({
  /** Times are in milliseconds since 1970. */
  sent_at: z.int().nullable(),
  /** Expiry of the newest link; `null` if it was removed. */
  expires_at: z.int().nullable(),
  mail: MailState.nullable(),
  /** Response of the server that rejected the email for good; otherwise ''. */
  error: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

/** Refuses users with an account (`users.not_pending`). */
export const getInvitation = endpoint({
  name: 'getInvitation',
  method: 'GET',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'Get the status of an invitation.',
  params: InviteeParams,
  answer: Invitation,
});

/** Emails a new link; older ones keep working until one of them is used. Beyond the daily limits nothing is sent. */
export const resendInvitation = endpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'Email the invitation again.',
  params: InviteeParams,
  answer: Done,
});

/** Removes a pending invitee and their links from the team; a user without another team is deleted. */
export const cancelInvitation = endpoint({
  name: 'cancelInvitation',
  method: 'DELETE',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'Cancel the invitation of a pending user.',
  params: InviteeParams,
  answer: Done,
});

export const FailedInvitation = z.object({ user_id: Id, email: z.string(), failed_at: z.int(), error: z.string() });
export type FailedInvitation = z.infer<typeof FailedInvitation>;

/** Newest first, at most 100. */
export const listFailedInvitations = endpoint({
  name: 'listFailedInvitations',
  method: 'GET',
  path: '/admin/teams/:teamId/failed_invitations',
  summary: 'List invitations that could not be delivered.',
  params: z.object({ teamId: Id }),
  answer: listAnswer(FailedInvitation),
});
