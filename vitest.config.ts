import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TIME_SCALE } from './apps/server/testing/system/time-scale.ts';

const DRILLS = ['apps/server/drills/**/*.test.ts', '**/*.drill.test.ts'];
/** Measure time, so they need a machine without other work. Nothing runs them by itself. */
const QUIET = '**/*.quiet.test.ts';

interface Project {
  name: string;
  include: string[];
  exclude?: string[];
  minutes?: number;
}

function project({ name, include, exclude = DRILLS, minutes = 1 }: Project) {
  const limit = minutes * 60_000 * TIME_SCALE;
  const hasDatabase = name !== 'contract' && name !== 'portal';
  return {
    test: {
      name,
      include,
      exclude: ['**/{node_modules,dist}/**', ...(name === 'quiet' ? [] : [QUIET]), ...exclude],
      // Each worker loads the server once for all of its files.
      isolate: false,
      // There is one more worker than there are cores, because tests also wait.
      maxWorkers: availableParallelism() + 1,
      testTimeout: limit,
      hookTimeout: limit,
      sequence: { hooks: 'list' as const },
      setupFiles: ['tools/test/fixed-seed.ts'],
      globalSetup: hasDatabase ? ['apps/server/testing/database/global-setup.ts'] : [],
    },
  };
}

export default defineConfig({
  test: {
    // Milliseconds from which a test that passes has a line of its own.
    slowTestThreshold: 5_000 * TIME_SCALE,
    projects: [
      project({ name: 'contract', include: ['packages/{contract,liquid,zendesk-simulator}/src/**/*.test.ts'] }),
      project({ name: 'server', include: ['{apps/{server,cli},packages/embedded-postgres}/**/*.test.ts'] }),
      project({ name: 'portal', include: ['apps/portal/**/*.test.{ts,tsx}'] }),
      project({ name: 'tools', include: ['{tools,e2e,bench}/**/*.test.ts'] }),
      project({ name: 'drills', include: DRILLS, exclude: [], minutes: 10 }),
      project({ name: 'quiet', include: [QUIET], exclude: [], minutes: 10 }),
    ],
  },
});
