import type { AuditDetails } from '@steward/contract/audit/details';
import { type Database, inTransaction } from '#platform/database/database.ts';
import type { Origin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';

/** What was read, where, and by whom. */
interface ComplianceReading {
  teamId: string;
  channelId: string;
  personId: string;
  read: AuditDetails<'channels.compliance_read'>;
}

/** Records that something was read by compliance access, before it is sent: without the record nothing is. */
export async function recordComplianceReading(
  db: Database,
  { teamId, channelId, personId, read }: ComplianceReading,
  origin: Origin,
): Promise<void> {
  await inTransaction(db, (trx) =>
    addAuditEvent(
      trx,
      { action: 'channels.compliance_read', teamId, actorId: personId, target: channelId, details: read },
      origin,
    ),
  );
}
