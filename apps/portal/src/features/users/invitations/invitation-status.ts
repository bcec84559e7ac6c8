import type { Invitation } from '@steward/contract/users/invitations';

/** How an invitation stands: what became of its mail, and of its link. */
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

/** Whether the person is no invitee of the team any more: they have accepted, or somebody else has withdrawn it. */
export function isNoLongerPending(id: string): boolean {
  return ['users.not_pending', 'record.not_found'].includes(id);
}

/** Why nothing can be done to an invitation any more, or what else went wrong. */
export function refusalText({ id, message }: { id: string; message: string }): string {
  return id === 'record.not_found' ? 'Somebody else has withdrawn this invitation already.' : message;
}
