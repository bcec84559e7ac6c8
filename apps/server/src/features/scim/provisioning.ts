import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';

/** An identity provider that calls with a token of a team. */
export interface Provisioner {
  teamId: string;
  tokenId: string;
  /** The owner who created the token: invitations are in their name. */
  createdBy: string;
}

/** The team is locked in the transaction of a change. */
export interface Provisioning extends Provisioner {
  trx: Trx;
  deps: Deps;
  /** Adds an audit row of the change. */
  audit(event: AuditEvent): Promise<void>;
  /** Adds a sentence about what was done, for the log. */
  note(sentence: string): void;
}
