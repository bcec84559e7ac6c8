import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type Lease, type Step, saveLeaseStep } from './integrations.store.ts';

/** Stores a step of a change; refuses if the lease has been lost. */
export async function saveStep(deps: Pick<Deps, 'db'>, lease: Lease, step: Step): Promise<void> {
  if (!(await saveLeaseStep(deps.db, lease, step))) refuse('helpdesk.busy');
}
