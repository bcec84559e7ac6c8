import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer } from '@steward/server/testing/database/test-server.ts';
import { buildPortal } from '@steward/tools/build/build-portal.ts';

const DIST = join(import.meta.dirname, '../../apps/portal/dist');

/** Runs once before all browser tests: builds the portal, and starts a PostgreSQL unless the runner has started one. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function globalSetup(): Promise<() => Promise<void>> {
  await buildPortal();
  // The tests use a copy, because another build during the tests would remove the files of open pages.
  const portal = await mkdtemp(join(tmpdir(), 'steward-portal-'));
  await cp(DIST, portal, { recursive: true });
  process.env.STEWARD_E2E_PORTAL = portal;
  const server = process.env.TEST_POSTGRES ? undefined : await startTestServer();
  if (server !== undefined) process.env.TEST_POSTGRES = JSON.stringify(server.connection);
  return async () => {
    await server?.stop();
    await rm(portal, { recursive: true, force: true });
  };
}
