import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Step, saveLeaseStep } from '../integrations.store.ts';
import type { Held, Session } from '../providers/provider.ts';
import type { Change } from './lease.actions.ts';

/** Replaces the credentials of a connected integration and returns warnings. The next reconcile is due immediately. */
export function replaceCredentials(
  deps: Deps,
  { actorId, origin, lease, row }: Change & Held,
  session: Session,
): Promise<string[]> {
  const { domain, username, authentication } = row;
  const details = { before: { domain, username, authentication }, after: { ...session.login } };
  const commit = (step: Step) =>
    inTransaction(deps.db, async (trx) => {
      const fresh = { ...session.login, warnings: [], broken: false, checked_at: null };
      if (!(await saveLeaseStep(trx, lease, { ...step, ...fresh }))) refuse('helpdesk.busy');
      const { teamId, integrationId: target } = lease;
      await addAuditEvent(trx, { action: 'integrations.credentials_saved', teamId, actorId, target, details }, origin);
    });
  return session.replace({ lease, row }, commit);
}
