import type { Command } from '../command.ts';

/** Brings the schema up to date and does nothing else. */
export const migrateDatabase: Command = {
  summary: 'Bring the schema up to date (every start does this too)',
  options: {},
  prepare: () => async (workspace) => {
    const { migrated } = workspace;
    const lines = migrated.length === 0 ? ['The schema is up to date.'] : migrated.map((name) => `Applied ${name}.`);
    return { result: { migrated }, lines };
  },
};
