// server.ts starts this with its task as JSON: like the server, a reference runs in a separate process.
import { verify } from '@node-rs/argon2';
import { fastify } from 'fastify';
import pg from 'pg';

interface ListTask {
  kind: 'list';
  url: string;
  text: string;
  values: unknown[];
  /** With it, the process also verifies passwords, as a sign-in does. */
  hash?: string;
}

interface VerifyTask {
  kind: 'verify';
  hash: string;
  password: string;
  seconds: number;
}

const AT_ONCE = 4;

/** Bare Fastify and pg run the statement and `JSON.stringify`, and nothing else. Passwords have all of libuv's threads. */
async function serveList({ url, text, values, hash }: ListTask): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const app = fastify();
  app.get('/', async (_request, reply) => {
    const { rows } = await pool.query(text, values);
    return reply.type('application/json').send(JSON.stringify({ records: rows }));
  });
  if (hash !== undefined)
    app.post<{ Body: { password: string } }>('/api/v4/users/login', async ({ body }) => ({
      ok: await verify(hash, body.password),
    }));
  console.log(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
}

/** Verifies as many passwords as possible. */
async function verifyPasswords({ hash, password, seconds }: VerifyTask): Promise<void> {
  const from = performance.now();
  let checks = 0;
  const work = async () => {
    for (; performance.now() < from + seconds * 1000; checks += 1) await verify(hash, password);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log((checks / (performance.now() - from)) * 1000);
}

const task = JSON.parse(process.argv[2] ?? '') as ListTask | VerifyTask;
await (task.kind === 'list' ? serveList(task) : verifyPasswords(task));
