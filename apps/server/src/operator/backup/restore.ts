import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { restore } from './restore.actions.ts';

/** Fills an empty workspace with a backup. */
export const restoreBackup: Command = {
  summary: 'Fill an empty workspace with a backup',
  notes: [
    'All of it or, when anything in it is wrong, nothing. Run it with the SECRET_KEY of before and without a server. People sign in\n' +
      'again, and invitations that were open have to be sent again.',
    'Give it a place for files of its own: retention of two workspaces that share one deletes what the other still shows.',
  ],
  argument: { name: 'file', help: 'What `backup` wrote' },
  options: {},
  keepsSchema: true,
  prepare:
    ({ argument = '' }) =>
    async (workspace, say) => {
      const done = await restore(workspace, resolve(argument), say);
      return {
        result: { ...done },
        lines: [
          `The workspace of ${done.created_at} is back: ${done.rows} rows of ${done.tables} tables and ${done.files} files.`,
          ...(done.files_missing > 0 ? [`${done.files_missing} files were missing when it was written.`] : []),
          ...(done.same_key
            ? []
            : [
                'It was made with another SECRET_KEY: set that one, or have the help desk’s credentials entered again. Whether',
                'somebody altered the file could not be told without that key.',
              ]),
        ],
      };
    },
};
