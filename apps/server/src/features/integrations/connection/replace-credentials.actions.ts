import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { type Step, saveLeaseStep } from '../integrations.store.ts';
import type { Held, Session } from '../providers/provider.ts';
import type { Change } from './lease.actions.ts';

/** Replaces the credentials of a connected integration and returns warnings. The next reconcile is due immediately. */
export function replaceCredentials(
  deps: Deps,
  { actorId, authorize, origin, lease, row }: Change & Held,
  session: Session,
): Promise<string[]> {
  const { domain, username, authentication } = row;
  const details = { before: { domain, username, authentication }, after: { ...session.login } };
  const commit = (step: Step) =>
    inAuthorizedTransaction({ db: deps.db, authorize }, async (trx, who) => {
      requireRecentSignIn(who);
      const fresh = { ...session.login, warnings: [], broken: false, checked_at: null };
      if (!(await saveLeaseStep(trx, lease, { ...step, ...fresh }))) refuse('helpdesk.busy');
      const { teamId, integrationId: target } = lease;
      await addAuditEvent(trx, deps, {
        action: 'integrations.credentials_saved',
        teamId,
        actorId,
        target,
        details,
        origin,
      });
    });
  return session.replace({ lease, row }, commit);
}
