import type { Secrets } from '#platform/security/secrets.ts';
import type { Traces } from './erasures.store.ts';

export const TRACES_PURPOSE = 'erasure';

/** Traces stay sealed until the erasure ends: neither the queue nor the table holds them in plain text. */
export function sealTraces(secrets: Secrets, traces: Traces): string {
  return secrets.seal(TRACES_PURPOSE, JSON.stringify(traces));
}

export function openTraces(secrets: Secrets, sealed: string): Traces {
  return JSON.parse(secrets.open(TRACES_PURPOSE, sealed)) as Traces;
}
