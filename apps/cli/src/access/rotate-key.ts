import { resealIntegrations } from '@steward/server/src/features/integrations/connection/reseal.actions.ts';
import { archiveKeys } from '@steward/server/src/features/retention/recovery/restores.store.ts';
import { clientSecrets } from '@steward/server/src/features/sso/connection/saved-connections.store.ts';
import { type Resealed, resealRows } from '@steward/server/src/platform/security/reseal.ts';
import { totpSecrets } from '@steward/server/src/workspace/access/factors/factors.store.ts';
import { auditKeys, keepKeys } from '@steward/server/src/workspace/audit/audit-keys.ts';
import type { Command } from '../command.ts';

/** For use after SECRET_KEY was replaced. */
export const rotateKey: Command = {
  summary: 'Re-encrypt stored credentials and keys with a new SECRET_KEY',
  notes: [
    '1. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old one, and restart the servers.\n' +
      '2. Run this command with the same two settings.\n' +
      '3. Remove SECRET_KEY_PREVIOUS a day later, when queued emails and stored responses no longer need it.\n' +
      'If SECRET_KEY was never set (embedded database), the current key is in the file secret-key in DATA_DIR.',
    'Keys that old rows of the audit log are verified with, those of archives of deleted content, secrets of authenticator apps and client secrets of single sign-on are re-encrypted too.',
    'Fails if neither key can decrypt some of the credentials; an admin must then enter those again.',
  ],
  options: {},
  prepare:
    () =>
    async ({ db, secrets }) => {
      const integrations = await resealIntegrations(db, secrets);
      await keepKeys(db, secrets);
      const others = {
        audit_keys: await resealRows(db, secrets, auditKeys),
        archives: await resealRows(db, secrets, archiveKeys),
        totp: await resealRows(db, secrets, totpSecrets),
        sso: await resealRows(db, secrets, clientSecrets),
      };
      const lines = [`${integrations.resealed} re-encrypted, ${integrations.unreadable} unreadable with either key.`];
      const report = ({ unreadable }: Resealed, what: string, advice = '.') => {
        if (unreadable > 0) lines.push(`${unreadable} ${what} unreadable with either key${advice}`);
      };
      report(others.totp, 'secrets of authenticator apps', ': reset these factors.');
      report(others.archives, 'archives of deleted content');
      report(others.sso, 'client secrets of single sign-on');
      report(others.audit_keys, 'keys of the audit log');
      const failed = [integrations, ...Object.values(others)].some(({ unreadable }) => unreadable > 0);
      return { result: { ...integrations, ...others }, lines, ...(failed ? { failed } : {}) };
    },
};
