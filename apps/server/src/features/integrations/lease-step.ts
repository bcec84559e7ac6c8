import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Lease, type Step, saveLeaseStep } from './integrations.store.ts';

/** Stores a step of a change; refuses if the lease has been lost. */
export async function saveStep({ db }: { db: Database | Trx }, lease: Lease, step: Step): Promise<void> {
  if (!(await saveLeaseStep(db, lease, step))) refuse('helpdesk.busy');
}
