import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { TIME_SCALE } from './apps/server/testing/system/time-scale.ts';

const DRILLS = ['apps/server/drills/**/*.test.ts', '**/*.drill.test.ts'];
/** Test a plain model of the product beside it: small in `npm test`, and in drills with many members and killed jobs. */
const MODELS = [
  'apps/server/src/features/channels/channels-model.test.ts',
  'apps/server/src/features/users/ends/ends-model.test.ts',
];

const GUIDE_PAGE = join(import.meta.dirname, 'apps/portal/testing/guide-page.ts');

interface Project {
  name: string;
  include: string[];
  exclude?: string[];
  /** Time limit of a test or hook in seconds, before it is scaled. */
  seconds?: number;
  /** The tests start programs, which are built first. */
  hasPrograms?: boolean;
  /** The tests render screens in a page of jsdom. */
  hasPage?: boolean;
}

function project({ name, include, exclude = DRILLS, seconds = 90, hasPrograms = false, hasPage = false }: Project) {
  const limit = seconds * 1_000 * TIME_SCALE;
  const hasDatabase = !['contract', 'portal', 'screens'].includes(name);
  return {
    // The build makes these modules from the guide.
    resolve: { alias: hasPage ? [{ find: /^virtual:guide\/.+/, replacement: GUIDE_PAGE }] : [] },
    test: {
      name,
      include,
      environment: hasPage ? 'jsdom' : 'node',
      // The browser tests have the same time zone.
      env: {
        TEST_TIME_SCALE: String(TIME_SCALE),
        ...(hasPage && { TZ: 'Europe/Berlin' }),
        ...(name === 'drills' && { TEST_DRILLS: '1' }),
      },
      exclude: ['**/{node_modules,dist}/**', ...exclude],
      // Each worker loads the server once for all of its files.
      isolate: false,
      // There is one more worker than there are cores, because tests also wait.
      maxWorkers: availableParallelism() + 1,
      testTimeout: limit,
      hookTimeout: limit,
      // jsdom draws frames by setInterval. If that was fake for a moment, no frame would be drawn in the later files of a worker.
      ...(hasPage && { fakeTimers: { toFake: ['setTimeout' as const, 'clearTimeout' as const, 'Date' as const] } }),
      sequence: { hooks: 'list' as const },
      setupFiles: ['tools/test/fixed-seed.ts', ...(hasPage ? ['apps/portal/testing/setup.ts'] : [])],
      globalSetup: [
        ...(hasDatabase ? ['apps/server/testing/database/global-setup.ts'] : []),
        ...(hasPrograms ? ['tools/test/build-programs.ts'] : []),
      ],
    },
  };
}

export default defineConfig({
  test: {
    // Milliseconds from which a test that passes has a line of its own.
    slowTestThreshold: 10_000,
    // `npm run coverage` measures it. The browser tests and the drills aren't part of it.
    coverage: {
      include: ['{apps,packages}/*/src/**/*.{ts,tsx}'],
      exclude: ['**/*.test.{ts,tsx}', '**/*.gen.ts', 'packages/*-simulator/**'],
      reporter: ['text-summary', 'json-summary'],
      reportsDirectory: 'var/coverage',
    },
    projects: [
      project({
        name: 'contract',
        include: [
          'packages/{contract,liquid,mattermost-simulator,zendesk-simulator}/src/**/*.test.ts',
          'apps/mattermost-bridge/{src,drill}/**/*.test.ts',
        ],
      }),
      project({ name: 'server', include: ['{apps/{server,cli},packages/embedded-postgres}/**/*.test.ts'] }),
      project({ name: 'portal', include: ['apps/portal/**/*.test.ts'] }),
      project({ name: 'screens', include: ['apps/portal/**/*.test.tsx'], hasPage: true }),
      project({ name: 'tools', include: ['{tools,e2e,bench}/**/*.test.ts'] }),
      project({ name: 'drills', include: [...DRILLS, ...MODELS], exclude: [], seconds: 300, hasPrograms: true }),
    ],
  },
});
