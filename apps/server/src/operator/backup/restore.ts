import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { restore } from './restore.actions.ts';

/** Restores a backup into an empty workspace. */
export const restoreBackup: Command = {
  summary: 'Restore a backup into an empty workspace',
  notes: [
    'Restores everything, or nothing if anything in the backup is invalid. Run it with the original SECRET_KEY and without a\n' +
      'server. Users must sign in again, and open invitations must be sent again.',
    'Use a separate file store: if two workspaces share one, retention in one deletes files of the other.',
  ],
  argument: { name: 'file', help: 'File written by the command backup' },
  options: {},
  keepsSchema: true,
  prepare:
    ({ argument = '' }) =>
    async (workspace, say) => {
      const done = await restore(workspace, resolve(argument), say);
      return {
        result: { ...done },
        lines: [
          `Restored the workspace of ${done.created_at}: ${done.rows} rows of ${done.tables} tables, ${done.files} files.`,
          ...(done.files_missing > 0 ? [`${done.files_missing} files were missing when the backup was written.`] : []),
          ...(done.same_key
            ? []
            : [
                'The backup was created with another SECRET_KEY: set that key, or enter the help desk credentials again.',
                'Without that key, it is unknown whether the file was altered.',
              ]),
        ],
      };
    },
};
