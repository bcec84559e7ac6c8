import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, listAnswer } from '../api/fields.ts';

const InviteeParams = z.object({ teamId: Id, userId: z.string() });

/** Where the newest mail of an invitation is. */
export const MailState = z.enum(['waiting', 'sent', 'failed']);
export type MailState = z.infer<typeof MailState>;

/** The newest invitation of somebody who has not answered yet; `null` where its links and mails are gone. */
export const Invitation = z.object({
  /** When it was made, in milliseconds since 1970. */
  sent_at: z.int().nullable(),
  /** Until when the newest link works; in the past when it is over, `null` when it was removed. */
  expires_at: z.int().nullable(),
  mail: MailState.nullable(),
  /** What the mail server said, when it refused for good; else ''. */
  error: z.string(),
});
export type Invitation = z.infer<typeof Invitation>;

/** How an invitation stands. Refuses `users.not_pending` for people who have an account. */
export const getInvitation = endpoint({
  name: 'getInvitation',
  method: 'GET',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'How the invitation of a pending person stands.',
  params: InviteeParams,
  answer: Invitation,
});

/** Mails a new link; older ones work on until one of them is used. At most five an hour to one address. */
export const resendInvitation = endpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'Mail the invitation again.',
  params: InviteeParams,
  answer: Done,
});

/** Takes the person out of the team and ends the team's links to them; who belongs to no other team is forgotten. */
export const cancelInvitation = endpoint({
  name: 'cancelInvitation',
  method: 'DELETE',
  path: '/admin/teams/:teamId/users/:userId/invitation',
  summary: 'Withdraw the invitation of a pending person.',
  params: InviteeParams,
  answer: Done,
});

/** An invitation whose newest mail could not be delivered, to somebody who still has not answered. */
export const FailedInvitation = z.object({ user_id: Id, email: z.string(), failed_at: z.int(), error: z.string() });
export type FailedInvitation = z.infer<typeof FailedInvitation>;

/** Invitations that did not arrive, the newest first, at most 100. */
export const listFailedInvitations = endpoint({
  name: 'listFailedInvitations',
  method: 'GET',
  path: '/admin/teams/:teamId/failed_invitations',
  summary: 'Invitations whose mail could not be delivered.',
  params: z.object({ teamId: Id }),
  answer: listAnswer(FailedInvitation),
});
