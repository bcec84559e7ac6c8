import { createDatabase, createPool } from '#platform/database/database.ts';
import { migrate } from '#platform/database/migrate.ts';

// A process of its own that migrates the database it is given and prints what it applied.
const [connectionString = ''] = process.argv.slice(2);
const db = createDatabase(createPool({ connectionString }, { max: 1, name: 'migrate once', unlimited: true }));
const applied = await migrate(db).finally(() => db.destroy());
console.log(JSON.stringify(applied));
