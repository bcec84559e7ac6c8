import { ARCHIVE_KEY_PURPOSE } from '@steward/server/src/features/retention/archive/archive-key.ts';
import { CLIENT_SECRET_PURPOSE } from '@steward/server/src/features/sso/connection/client-secret.ts';
import { TRACES_PURPOSE } from '@steward/server/src/features/users/privacy/seal-traces.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { dropJobs } from '@steward/server/src/platform/jobs/jobs.ts';
import { type Resealed, reseal } from '@steward/server/src/platform/security/reseal.ts';
import type { Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { TOTP_PURPOSE } from '@steward/server/src/workspace/access/factors/codes.ts';
import { showEndedTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { AUDIT_KEY_PURPOSE } from '@steward/server/src/workspace/audit/audit-keys.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { INTEGRATION_PURPOSE } from '@steward/server/src/workspace/integrations/integration-health.ts';
import type { Workspace } from '../open-workspace.ts';
import type { Header } from './archive/backup-format.ts';
import type { Session, TableShape } from './backup.store.ts';
import { listTeams, replaceSealed, type SealedColumns } from './restore.store.ts';

/** Everything in a backup that is sealed with SECRET_KEY. */
export const SEALED: readonly (SealedColumns & { purpose: string })[] = [
  {
    table: 'integrations',
    columns: ['credentials', 'path_key', 'signing_secret'],
    purpose: INTEGRATION_PURPOSE,
  },
  { table: 'erasures', columns: ['sealed'], purpose: TRACES_PURPOSE },
  { table: 'audit_keys', columns: ['sealed'], purpose: AUDIT_KEY_PURPOSE },
  { table: 'sso_connections', columns: ['client_secret'], purpose: CLIENT_SECRET_PURPOSE },
  { table: 'totp_factors', columns: ['secret'], purpose: TOTP_PURPOSE },
  { table: 'retention_runs', columns: ['archive_key'], purpose: ARCHIVE_KEY_PURPOSE },
];

/** Seals values with the current key if the archive was written with another one. */
export async function resealRestored(
  { session, secrets, archiveSecrets }: { session: Session; secrets: Secrets; archiveSecrets: Secrets },
  tables: readonly TableShape[],
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 };
  if (archiveSecrets === secrets) return total;
  for (const sealed of SEALED.filter(({ table }) => tables.some(({ name }) => name === table))) {
    const done = await replaceSealed(session, sealed, (value) =>
      reseal(sealed.purpose, value, { from: archiveSecrets, to: secrets }),
    );
    total.resealed += done.resealed;
    total.unreadable += done.unreadable;
  }
  return total;
}

/** Adds an audit row for each team, and deletes jobs that a server of the empty workspace had queued. */
export async function recordRestore(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  { created_at }: Header,
  tokenTeams: readonly string[],
): Promise<void> {
  const origin = operatorOrigin();
  await inTransaction(workspace.db, async (trx) => {
    await dropJobs(trx);
    await showEndedTokens(trx);
    for (const teamId of await listTeams(trx)) {
      const tokens = tokenTeams.filter((id) => id === teamId).length;
      const details = { backed_up_at: Date.parse(created_at), tokens };
      await addAuditEvent(trx, workspace, {
        action: 'teams.restored',
        teamId,
        actorId: null,
        target: teamId,
        details,
        origin,
      });
    }
  });
}
