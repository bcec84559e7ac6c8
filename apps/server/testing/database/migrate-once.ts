import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';

// A process that migrates a database and prints the applied migrations.
const [connectionString = ''] = process.argv.slice(2);
const db = createDatabase(createPool({ connectionString }, { max: 1, name: 'migrate once', unlimited: true }));
const applied = await migrate(db).finally(() => db.destroy());
console.log(JSON.stringify(applied));
