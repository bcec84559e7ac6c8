import type { Invitation } from '@steward/contract/users/invitations';

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

/** The invitation was accepted, or someone else canceled it. */
export function isNoLongerPending(id: string): boolean {
  return ['users.not_pending', 'record.not_found'].includes(id);
}

export function refusalText({ id, message }: { id: string; message: string }): string {
  return id === 'record.not_found' ? 'This invitation was already accepted or canceled.' : message;
}
