import type { Invitation } from '@steward/contract/users/invitations';

/** The status of an invitation's email and link. */
export interface Status {
  mail: 'unknown' | 'waiting' | 'sent' | 'failed';
  link: 'works' | 'ended' | 'none';
}

export function getStatus({ sent_at, expires_at, mail }: Invitation, now: number): Status {
  return {
    mail: sent_at === null || mail === null ? 'unknown' : mail,
    link: expires_at === null ? 'none' : expires_at > now ? 'works' : 'ended',
  };
}

/** Whether an error says that the invitation is gone: accepted, or canceled by someone else. */
export function isNoLongerPending(id: string): boolean {
  return ['users.not_pending', 'record.not_found'].includes(id);
}

/** The message of a failed call about an invitation. */
export function refusalText({ id, message }: { id: string; message: string }): string {
  return id === 'record.not_found' ? 'This invitation was already accepted or canceled.' : message;
}
