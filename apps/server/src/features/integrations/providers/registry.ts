import { createHash } from 'node:crypto';
import type { Provider } from './provider.ts';
import { WEBHOOKS } from './webhook/webhook.ts';
import { ZENDESK } from './zendesk/zendesk.ts';

/** All services that a team can connect. A new provider is a folder beside this file, an entry here, and one in template-registry.ts. */
export const PROVIDERS: readonly Provider[] = [ZENDESK, ...WEBHOOKS];

export function getProvider(code: string): Provider {
  const found = PROVIDERS.find((provider) => provider.code === code);
  if (!found) throw new Error(`No provider has the code ${code}`);
  return found;
}

/**
 * The id of a provider in a team, the same before and after connecting, in the format of other ids. It isn't secret. It is
 * derived from the team's id, so it is invalid in any other team.
 */
export function toIntegrationId(teamId: string, code: string): string {
  const hash = createHash('sha256').update(`integration ${teamId} ${code}`).digest('hex');
  return BigInt(`0x${hash}`).toString(36).padStart(26, '0').slice(-26);
}

export function findProvider(teamId: string, integrationId: string): Provider | undefined {
  return PROVIDERS.find(({ code }) => toIntegrationId(teamId, code) === integrationId);
}
