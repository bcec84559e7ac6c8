import { findMissing } from '@steward/server/testing/sso/keycloak.ts';
import setUp from '../browser/global-setup.ts';

/** Prepares nothing where Keycloak can't be run. */
// biome-ignore lint/style/noDefaultExport: Playwright calls the default export
export default async function setUpKeycloak(): Promise<(() => Promise<void>) | undefined> {
  const missing = await findMissing();
  if (missing === undefined) return setUp();
  console.log(`Skipped: ${missing}.`);
  return undefined;
}
