import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { hashToken, newToken } from '#platform/security/secrets.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { seal } from '#workspace/integrations/integration-health.ts';
import { ensureIntegrationUser } from '#workspace/users/add-members.actions.ts';
import {
  addIntegration,
  findIntegration,
  type IntegrationRow,
  type Lease,
  removeIntegration,
  type Step,
  saveLeaseStep,
} from '../integrations.store.ts';
import { saveStep } from '../lease-step.ts';
import type { Provider, Session, TypedCredentials } from '../providers/provider.ts';

import { type Change, withLease } from './lease.actions.ts';
import { replaceCredentials } from './replace-credentials.actions.ts';

/** Columns that are cleared when an integration is turned off. */
export const CLEARED_CONNECTION = {
  credentials: null,
  path_key: null,
  signing_secret: null,
  webhook_id: null,
  created_trigger_id: null,
  updated_trigger_id: null,
} satisfies Step;

export type ProviderChange = Change & { provider: Provider };

export interface ChangeResult {
  warnings: string[];
  secret?: string | undefined;
}

/**
 * Connects an integration, or replaces the credentials of a connected one. Returns warnings. The columns that describe the
 * login are stored last, after everything else has succeeded, so a refused connection leaves the previous ones.
 */
export async function connect(deps: Deps, change: ProviderChange, form: TypedCredentials): Promise<ChangeResult> {
  const before = await findIntegration(deps.db, change.place);
  if (before?.is_busy && !before.is_reconciling) refuse('helpdesk.busy');
  const session = await change.provider.verify(deps, form);
  const work = { ...change, session };
  const { secret } = session;
  if (before) {
    const warnings = await withLease(deps, change.place, (lease, row) =>
      row.state === 'on'
        ? replaceCredentials(deps, { ...change, lease, row }, session)
        : establish(deps, { ...work, lease, row, isNew: false }),
    );
    return { warnings, secret };
  }
  const isNew = { code: change.provider.code, message: change.provider.defaultTemplate };
  const authentication = session.login.authentication;
  const take = (db: Deps['db'], lease: Lease) =>
    addIntegration(db, lease, { ...isNew, authentication, path_hash: hashToken(newToken()) });
  const warnings = await withLease({ db: deps.db, take }, change.place, (lease, row) =>
    establish(deps, { ...work, lease, row, isNew: true }),
  );
  return { warnings, secret };
}

interface Connecting extends ProviderChange {
  session: Session;
  lease: Lease;
  row: IntegrationRow;
  /** A row that this change added is removed when the change fails. */
  isNew: boolean;
}

async function establish(deps: Deps, work: Connecting): Promise<string[]> {
  const { lease, row, session } = work;
  const pathKey = newToken();
  const { credentials, warnings } = await session.prepare({ lease, row }, pathKey);
  const path = { path_key: seal(deps, pathKey), path_hash: hashToken(pathKey) };
  await saveStep(deps, lease, { ...CLEARED_CONNECTION, ...path, credentials, state: 'connecting' });
  try {
    const begun = (await findIntegration(deps.db, lease)) ?? refuse('helpdesk.busy');
    const step = await session.connect({ lease, row: begun }, pathKey);
    await inAuthorizedTransaction({ db: deps.db, authorize: work.authorize }, (trx) =>
      storeConnected(trx, deps, { ...work, step }),
    );
    return warnings;
  } catch (error) {
    await rollBack(deps, work).catch((cleanupError) =>
      deps.log.error(
        { err: cleanupError, team: lease.teamId },
        'integrations: cleaning up a failed connection failed; it will be retried',
      ),
    );
    throw error;
  }
}

async function storeConnected(trx: Trx, deps: Deps, connecting: Connecting & { step: Step }) {
  const { lease, actorId, origin, session, provider, step } = connecting;
  const user_id = await ensureIntegrationUser(trx, lease.teamId, provider);
  const fresh = {
    warnings: [],
    broken: false,
    checked_at: null,
    refused_count: 0,
    refused_reason: '',
    refused_at: null,
  };
  const connected: Step = { ...session.login, ...fresh, state: 'on', user_id };
  if (!(await saveLeaseStep(trx, lease, { ...step, ...connected }))) refuse('helpdesk.busy');
  const { teamId, integrationId: target } = lease;
  const details = { ...session.login };
  const event: AuditEvent = { action: 'integrations.connected', teamId, actorId, target, details };
  await addAuditEvent(trx, deps, { ...event, origin });
}

/** Rolls back an unfinished connection. If the service can't be reached, the row stays for the next reconcile to remove. */
async function rollBack(deps: Deps, { lease, isNew, provider }: Connecting): Promise<void> {
  const begun = await findIntegration(deps.db, lease);
  if (!begun || (await provider.disconnect(deps, begun)).length > 0) return;
  if (isNew && (await removeIntegration(deps.db, lease))) return;
  await saveStep(deps, lease, { state: 'off', ...CLEARED_CONNECTION });
}
