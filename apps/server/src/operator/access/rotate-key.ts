import { resealIntegrations } from '#features/integrations/connection/reseal.actions.ts';
import { resealArchives } from '#features/retention/recovery/reseal-archives.actions.ts';
import { resealAuditKeys } from '#workspace/audit/audit-keys.ts';
import { resealTotpSecrets } from '#workspace/factors/reseal-totp.actions.ts';
import type { Command } from '../command.ts';

/** Re-encrypts stored credentials after SECRET_KEY was replaced. */
export const rotateKey: Command = {
  summary: 'Re-encrypt stored credentials and keys with a new SECRET_KEY',
  notes: [
    '1. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the old one, and restart the servers.\n' +
      '2. Run this command with the same two settings.\n' +
      '3. Remove SECRET_KEY_PREVIOUS a day later, when queued emails and stored responses no longer need it.\n' +
      'If SECRET_KEY was never set (embedded database), the current key is in the file secret-key in DATA_DIR.',
    'Keys that old rows of the audit log are verified with, and those of archives of deleted content, are re-encrypted too, as are the secrets of authenticator apps.',
    'Fails if neither key can decrypt some of the credentials; an admin must then enter those again.',
  ],
  options: {},
  prepare:
    () =>
    async ({ db, secrets }) => {
      const { resealed, unreadable } = await resealIntegrations(db, secrets);
      const keys = await resealAuditKeys(db, secrets);
      const lines = [`${resealed} re-encrypted, ${unreadable} unreadable with either key.`];
      const archives = await resealArchives(db, secrets);
      const totp = await resealTotpSecrets(db, secrets);
      if (totp.unreadable > 0)
        lines.push(`${totp.unreadable} secrets of authenticator apps unreadable with either key: reset these factors.`);
      if (archives.unreadable > 0)
        lines.push(`${archives.unreadable} archives of deleted content unreadable with either key.`);
      if (keys.unreadable > 0) lines.push(`${keys.unreadable} keys of the audit log unreadable with either key.`);
      return {
        result: { resealed, unreadable, audit_keys: keys, archives, totp },
        lines,
        ...(unreadable + keys.unreadable + archives.unreadable + totp.unreadable > 0 ? { failed: true } : {}),
      };
    },
};
