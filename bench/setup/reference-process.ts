// What rows are compared with, in a separate process as the server is: started by processes.ts with its task as JSON.
import { verify } from '@node-rs/argon2';
import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { fastify } from 'fastify';
import pg from 'pg';

interface ListTask {
  kind: 'list';
  url: string;
  queries: { text: string; values: unknown[] }[];
}

interface VerifyTask {
  kind: 'verify';
  seconds: number;
  inFlight: number;
}

const task = JSON.parse(process.argv[2] ?? '') as ListTask | VerifyTask;
if (task.kind === 'list') await serveList(task);
else await verifyPasswords(task);

/** Bare Fastify and pg: the query, `JSON.stringify`, nothing else. */
async function serveList({ url, queries }: ListTask): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const app = fastify();
  app.get('/:nth', async (request, reply) => {
    const query = queries[Number((request.params as { nth: string }).nth)];
    if (!query) return reply.code(404).send('');
    const { rows } = await pool.query(query.text, query.values);
    return reply.type('application/json').send(JSON.stringify({ records: rows }));
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  console.log(new URL(address).port);
}

/** As many password checks as possible. */
async function verifyPasswords({ seconds, inFlight }: VerifyTask): Promise<void> {
  const stored = await hashPassword('a password to be checked');
  const until = performance.now() + seconds * 1000;
  let checks = 0;
  const work = async () => {
    for (; performance.now() < until; checks += 1) await verify(stored, 'a password to be checked');
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  console.log((checks / (performance.now() - from)) * 1000);
}
