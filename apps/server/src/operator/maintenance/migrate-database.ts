import type { Command } from '../command.ts';

/** Updates the database schema and does nothing else. */
export const migrateDatabase: Command = {
  summary: 'Update the database schema (every start does this too)',
  options: {},
  prepare: () => async (workspace) => {
    const { migrated } = workspace;
    const lines = migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Applied ${name}.`);
    return { result: { migrated }, lines };
  },
};
