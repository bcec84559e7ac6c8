// Started by path: prints how many MiB of results stay after they were read and dropped. What V8 decided about other code of a
// process changes that, so this is a process of its own.

import { sql } from 'kysely';
import { createDatabase, createPool } from '#platform/database/database.ts';
import { allocateYoung, collectEvery } from '#platform/observability/release-memory.ts';

const [url = ''] = process.argv.slice(2);
allocateYoung();
const pool = createPool({ connectionString: url }, { max: 1, name: 'test' });
const db = createDatabase(pool);
const collect = collectEvery(0);
const readRows = () => sql`select i, repeat('x', 100) as text from generate_series(1, 1000) i`.execute(db);
await readRows();
collect(0);
const before = process.memoryUsage().heapUsed;
for (let time = 0; time < 120; time += 1) await readRows();
await sql`select 1`.execute(db);
collect(0);
process.stdout.write(String((process.memoryUsage().heapUsed - before) / 2 ** 20));
await db.destroy();
