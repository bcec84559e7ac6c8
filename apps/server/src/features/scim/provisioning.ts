import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';

export interface Provisioner {
  teamId: string;
  tokenId: string;
  /** Invitations are sent in the name of the owner who created the token. */
  createdBy: string;
}

/** The transaction has locked the team. */
export interface Provisioning extends Provisioner {
  trx: Trx;
  deps: Deps;
  audit(event: AuditEvent): Promise<void>;
  /** Adds a sentence about the change to the log. */
  note(sentence: string): void;
}
