import type { Secrets } from '#platform/security/secrets.ts';
import type { Traces } from './erasures.store.ts';

/** The purpose that traces are sealed for. */
export const TRACES_PURPOSE = 'erasure';

/** What an erasure searches for, as it is stored until its end: neither the queue nor the table holds it in plain text. */
export function sealTraces(secrets: Secrets, traces: Traces): string {
  return secrets.seal(TRACES_PURPOSE, JSON.stringify(traces));
}

/** What is searched for. */
export function openTraces(secrets: Secrets, sealed: string): Traces {
  return JSON.parse(secrets.open(TRACES_PURPOSE, sealed)) as Traces;
}
