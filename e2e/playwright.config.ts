import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import { chromium } from './browser/chromium.ts';

const { executablePath, env } = await chromium();

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './browser/global-setup.ts',
  fullyParallel: true,
  // There is one more worker than there are cores, because tests also wait. Each has a server and ten connections to the database.
  workers: Math.min(availableParallelism() + 1, 4),
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000 * TIME_SCALE,
  expect: { timeout: 5_000 * TIME_SCALE },
  reporter: [['list']],
  outputDir: join(tmpdir(), `steward-e2e-${process.pid}`),
  preserveOutput: 'failures-only',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, env, args: ['--disable-gpu'] },
  },
});
