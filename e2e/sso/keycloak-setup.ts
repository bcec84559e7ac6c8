import { findMissing } from '@steward/server/testing/sso/keycloak.ts';
import setUp from '../browser/global-setup.ts';

/** Prepares nothing on a machine that can't run Keycloak. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function setUpKeycloak(): Promise<(() => Promise<void>) | undefined> {
  const missing = findMissing();
  if (missing === undefined) return setUp();
  console.log(`Skipped: ${missing}.`);
  return undefined;
}
