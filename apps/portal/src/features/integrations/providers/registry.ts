import type { Provider } from './provider.ts';
import { WEBHOOKS } from './webhook/webhook.ts';
import { ZENDESK } from './zendesk/zendesk.tsx';

/** To add a provider, add a folder next to this file and an entry here. */
const PROVIDERS: readonly Provider[] = [ZENDESK, ...WEBHOOKS];

export function getProvider(code: string): Provider {
  const found = PROVIDERS.find((provider) => provider.code === code);
  if (found === undefined) throw new Error(`No provider has the code ${code}.`);
  return found;
}
