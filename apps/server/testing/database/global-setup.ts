import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer | undefined;

/** Starts the PostgreSQL of a Vitest run, unless `npm test` or another project has started one. */
export async function setup(): Promise<void> {
  if (process.env.TEST_POSTGRES) return;
  server = await startTestServer();
  process.env.TEST_POSTGRES = JSON.stringify(server.connection);
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
