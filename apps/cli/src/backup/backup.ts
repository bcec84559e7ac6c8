import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { writeArchive } from './archive/archive.ts';
import { encryptionFor } from './archive/archive-encryption.ts';
import { LEFT_OUT } from './archive/backup-format.ts';
import { backUp } from './backup.actions.ts';

const PACKAGE = resolve(import.meta.dirname, '../../../../package.json');

export const backup: Command = {
  summary: 'Back up the whole workspace to one file',
  notes: [
    'A consistent snapshot, taken while the server runs. The file gets its name when it is complete. It is encrypted with a\n' +
      'key derived from SECRET_KEY: keep that key separately, because the backup cannot be restored without it.',
    `Not included: ${Object.keys(LEFT_OUT).join(', ')}, the job queue, and SECRET_KEY.`,
  ],
  argument: { name: 'file', help: 'File to write, such as steward.backup' },
  options: {
    force: { help: 'Overwrite an existing file' },
    'without-files': { help: 'Leave out the contents of files and recordings, if they are backed up otherwise' },
  },
  keepsSchema: true,
  prepare:
    ({ argument = '', switches }) =>
    async ({ withSession, blobs, secrets }, say) => {
      const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
      const file = resolve(argument);
      const wanted = { hasFiles: !switches.has('without-files'), version };
      await using archive = await writeArchive(file, {
        force: switches.has('force'),
        encrypt: encryptionFor(secrets),
      });
      const done = await withSession((session) => backUp({ session, blobs, secrets, archive }, wanted, say));
      return {
        result: { file, ...done },
        lines: [
          `${file}: ${done.rows} rows of ${done.tables} tables, ${done.files} files.`,
          ...(done.files_missing > 0 ? [`${done.files_missing} files are missing from the file store.`] : []),
          `Not included: ${done.mails_waiting} queued emails, the links of ${done.invitations_open} open invitations.`,
          "SECRET_KEY is not included. Keep it separately: without it, the backup can't be restored.",
        ],
      };
    },
};
