import { resealIntegrations } from '#features/integrations/connection/reseal.actions.ts';
import { resealArchives } from '#features/retention/recovery/reseal-archives.actions.ts';
import { resealClientSecrets } from '#features/sso/connection/reseal-secrets.actions.ts';
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
    'Keys that old rows of the audit log are verified with, those of archives of deleted content, secrets of authenticator apps and client secrets of single sign-on are re-encrypted too.',
    'Fails if neither key can decrypt some of the credentials; an admin must then enter those again.',
  ],
  options: {},
  prepare:
    () =>
    async ({ db, secrets }) => {
      const { resealed, unreadable } = await resealIntegrations(db, secrets);
      const sso = await resealClientSecrets(db, secrets);
      const keys = await resealAuditKeys(db, secrets);
      const lines = [`${resealed} re-encrypted, ${unreadable} unreadable with either key.`];
      const archives = await resealArchives(db, secrets);
      const totp = await resealTotpSecrets(db, secrets);
      if (totp.unreadable > 0)
        lines.push(`${totp.unreadable} secrets of authenticator apps unreadable with either key: reset these factors.`);
      if (archives.unreadable > 0)
        lines.push(`${archives.unreadable} archives of deleted content unreadable with either key.`);
      if (sso.unreadable > 0)
        lines.push(`${sso.unreadable} client secrets of single sign-on unreadable with either key.`);
      if (keys.unreadable > 0) lines.push(`${keys.unreadable} keys of the audit log unreadable with either key.`);
      return {
        result: { resealed, unreadable, audit_keys: keys, archives, totp, sso },
        lines,
        ...([unreadable, keys.unreadable, archives.unreadable, totp.unreadable, sso.unreadable].some(
          (count) => count > 0,
        )
          ? { failed: true }
          : {}),
      };
    },
};
