import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../build/build-server.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, 'node_modules/.cache', `programs-${process.pid}`);

const PROGRAMS = ['serve-process', 'retention-process', 'uncaught-process'];

/** Drills start servers and commands about two hundred times. Built, they start three times faster than from their modules. */
export async function setup(): Promise<void> {
  const servers = PROGRAMS.map((name) => [name, join(ROOT, 'apps/server/testing/app', `${name}.ts`)]);
  await bundle({ ...Object.fromEntries(servers), workspace: join(ROOT, 'apps/cli/src/workspace.ts') }, BUILT);
  process.env.TEST_PROGRAMS = BUILT;
}

export async function teardown(): Promise<void> {
  await rm(BUILT, { recursive: true, force: true });
}
