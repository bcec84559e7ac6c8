import type { Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Origin } from '#platform/http/http.ts';

/** One line of the audit log: what was done to whom, and what it was before. Never holds a secret (trust G17). */
export interface AuditEvent {
  /** `room.action`, as in 'users.invited'. */
  action: string;
  /** '' where no team is meant. */
  teamId: string;
  actorId: string | null;
  target: string | null;
  details?: Record<string, unknown>;
}

/** Origin of what a background job does: no address asked for it. */
export const BY_ITSELF: Origin = { requestId: 'job', address: '', userAgent: '' };

/** Writes the row in the transaction of the change itself, so that neither exists without the other. */
export async function addAuditEvent(trx: Trx, event: AuditEvent, origin: Origin): Promise<void> {
  await trx
    .insertInto('audit_events')
    .values({
      team_id: event.teamId,
      id: newId(),
      actor_id: event.actorId,
      action: event.action,
      target: event.target,
      details: JSON.stringify(event.details ?? {}),
      address: origin.address,
      request_id: origin.requestId,
    })
    .execute();
}
