import { defineConfig } from '@playwright/test';
import { TIME_SCALE } from '@steward/server/testing/system/time-scale.ts';
import usual from './playwright.config.ts';

/** These browser tests need programs that not every machine has, so they aren't part of `npm test`. */
export default defineConfig(usual, {
  testMatch: '**/*.drill.ts',
  globalSetup: './sso/keycloak-setup.ts',
  workers: 1,
  timeout: 180_000 * TIME_SCALE,
  use: { actionTimeout: 20_000 * TIME_SCALE },
  expect: { timeout: 15_000 * TIME_SCALE },
});
