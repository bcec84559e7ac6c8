import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSecrets, type Secrets } from '@steward/server/src/platform/security/secrets.ts';
import { type Command, Mistake } from '../command.ts';
import { type Restored, restore } from './restore.actions.ts';

export const restoreBackup: Command = {
  summary: 'Restore a backup into an empty workspace',
  notes: [
    'Restores everything, or nothing if anything in the backup is invalid. Run it without a server, with the SECRET_KEY that the\n' +
      'restored workspace will have. If the backup was written with another one, put that into a file for --key-file: stored\n' +
      'credentials are then encrypted with SECRET_KEY.',
    'Users must sign in again, open invitations must be sent again, and service tokens must be replaced.',
    'Use a separate file store: if two workspaces share one, retention in one deletes files of the other.',
  ],
  argument: { name: 'file', help: 'File written by the command backup' },
  options: {
    'key-file': { value: 'file', help: 'File with the SECRET_KEY that the backup was written with' },
    unencrypted: { help: 'Accept a signed backup of an earlier version, which is not encrypted' },
  },
  keepsSchema: true,
  prepare:
    ({ argument = '', 'key-file': keyFile, switches }) =>
    async (workspace, say) => {
      const archiveSecrets = keyFile === undefined ? undefined : await readKey(resolve(keyFile));
      const allowsUnencrypted = switches.has('unencrypted');
      const done = await restore(workspace, { file: resolve(argument), allowsUnencrypted, archiveSecrets }, say);
      return { result: { ...done }, lines: describe(done) };
    },
};

async function readKey(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new Mistake(`${file} can't be read: ${error.message}`);
  });
  if (!/^[0-9a-f]{64}$/i.test(text.trim())) throw new Mistake(`${file} must contain a SECRET_KEY: 64 hex digits.`);
  return createSecrets(text.trim());
}

function describe(done: Restored): string[] {
  const { created_at, rows, tables, files, files_missing, resealed, unreadable, tokens_ended } = done;
  return [
    `Restored the workspace of ${created_at}: ${rows} rows of ${tables} tables, ${files} files.`,
    ...(files_missing > 0 ? [`${files_missing} files were missing when the backup was written.`] : []),
    ...(resealed > 0 ? [`${resealed} stored credentials were encrypted with the current SECRET_KEY.`] : []),
    ...(unreadable > 0 ? [`${unreadable} stored credentials can't be decrypted: enter them again.`] : []),
    ...(tokens_ended > 0 ? [`${tokens_ended} service tokens were ended: create new ones.`] : []),
    `Changes made after ${created_at} are not included. Repeat those that must not be lost: erased, removed, deactivated and`,
    'demoted users, changed passwords, and stricter retention rules.',
  ];
}
