import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { backUp } from './backup.actions.ts';
import { LEFT_OUT } from './backup-format.ts';

const PACKAGE = resolve(import.meta.dirname, '../../../../../package.json');

/** Writes the whole workspace into one file. */
export const backup: Command = {
  summary: 'Write the whole workspace into one file',
  notes: [
    'Everything as it is at one moment; the server may go on. The file can be read by its owner alone and has its name only\n' +
      'when it is whole. It holds sealed credentials and all that people wrote: keep it as safe as the database.',
    `Not in it: ${Object.keys(LEFT_OUT).join(', ')}, the queue of jobs, and SECRET_KEY, which has to be kept apart.`,
  ],
  argument: { name: 'file', help: 'Where to write it, such as steward.tar.gz' },
  options: {
    force: { help: 'Replace the file if it is there' },
    'without-files': { help: 'Leave out contents of files and recordings, where they are kept safe otherwise' },
  },
  keepsSchema: true,
  prepare:
    ({ argument = '', switches }) =>
    async ({ withSession, blobs, secrets }, say) => {
      const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
      const file = resolve(argument);
      const wanted = { file, force: switches.has('force'), hasFiles: !switches.has('without-files'), version };
      const done = await withSession((session) => backUp({ session, blobs, secrets }, wanted, say));
      return {
        result: { file, ...done },
        lines: [
          `${file} holds ${done.rows} rows of ${done.tables} tables and ${done.files} files.`,
          ...(done.files_missing > 0 ? [`${done.files_missing} files are named and were not found.`] : []),
          `Not in it: ${done.mails_waiting} mails that wait, links of ${done.invitations_open} open invitations.`,
          'SECRET_KEY is not in it either: keep it apart, stored credentials cannot be opened without it.',
        ],
      };
    },
};
