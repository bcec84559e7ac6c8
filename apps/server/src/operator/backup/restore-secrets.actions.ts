import { resealArchiveKey } from '#features/retention/archive/archive-key.ts';
import { resealSecret } from '#features/sso/connection/client-secret.ts';
import { resealTraces } from '#features/users/privacy/seal-traces.ts';
import { type Database, inTransaction } from '#platform/database/database.ts';
import { dropJobs } from '#platform/jobs/jobs.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { resealAuditKey } from '#workspace/audit/audit-keys.ts';
import { resealTotpSecret } from '#workspace/factors/totp.ts';
import { opened, seal } from '#workspace/integrations/integration-health.ts';
import { showEndedTokens } from '#workspace/tokens/tokens.store.ts';
import { operatorOrigin } from '../operator-origin.ts';
import type { Header } from './archive/backup-format.ts';
import type { Session, TableShape } from './backup.store.ts';
import { listTeams, replaceSealed, type SealedColumns } from './restore.store.ts';

/** Everything in a backup that is sealed with SECRET_KEY, and how that is done. */
export const SEALED: readonly (SealedColumns & {
  reseal(from: Secrets, to: Secrets, value: string): string | undefined;
})[] = [
  {
    table: 'integrations',
    columns: ['credentials', 'path_key', 'signing_secret'],
    reseal(from, to, value) {
      const text = opened({ secrets: from }, value);
      return text === undefined ? undefined : seal({ secrets: to }, text);
    },
  },
  { table: 'erasures', columns: ['sealed'], reseal: resealTraces },
  { table: 'audit_keys', columns: ['sealed'], reseal: resealAuditKey },
  { table: 'sso_connections', columns: ['client_secret'], reseal: resealSecret },
  { table: 'totp_factors', columns: ['secret'], reseal: resealTotpSecret },
  { table: 'retention_runs', columns: ['archive_key'], reseal: resealArchiveKey },
];

/** Seals with the current key what the archive's key opens, where these are two. */
export async function resealRestored(
  { session, secrets, archiveSecrets }: { session: Session; secrets: Secrets; archiveSecrets: Secrets },
  tables: readonly TableShape[],
): Promise<{ resealed: number; unreadable: number }> {
  const total = { resealed: 0, unreadable: 0 };
  if (archiveSecrets === secrets) return total;
  for (const sealed of SEALED.filter(({ table }) => tables.some(({ name }) => name === table))) {
    const done = await replaceSealed(session, sealed, (value) => sealed.reseal(archiveSecrets, secrets, value));
    total.resealed += done.resealed;
    total.unreadable += done.unreadable;
  }
  return total;
}

/** Says in the audit log of each team that it comes from a backup. What an unused server had queued is dropped. */
export async function recordRestore(
  db: Database,
  { created_at }: Header,
  tokenTeams: readonly string[],
): Promise<void> {
  const origin = operatorOrigin();
  await inTransaction(db, async (trx) => {
    await dropJobs(trx);
    await showEndedTokens(trx);
    for (const teamId of await listTeams(trx)) {
      const tokens = tokenTeams.filter((id) => id === teamId).length;
      const details = { backed_up_at: Date.parse(created_at), tokens };
      await addAuditEvent(trx, { action: 'teams.restored', teamId, actorId: null, target: teamId, details }, origin);
    }
  });
}
