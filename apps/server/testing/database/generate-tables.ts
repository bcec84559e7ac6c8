// `npm run generate:tables`: writes the table types from the migrated schema.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { renderTables } from './render-tables.ts';
import { testDatabase } from './template-database.ts';

const FILE = join(import.meta.dirname, '../../src/migrations/tables.gen.ts');

await using database = await testDatabase();
await using db = createDatabase(createPool(database.connection, { max: 1, name: 'generate tables' }));
writeFileSync(FILE, await renderTables(db));
