import type { Secrets } from '#platform/security/secrets.ts';
import type { Traces } from './erasures.store.ts';

const PURPOSE = 'erasure';

/** What an erasure searches for, as it is stored until its end: neither the queue nor the table holds it in plain text. */
export function sealTraces(secrets: Secrets, traces: Traces): string {
  return secrets.seal(PURPOSE, JSON.stringify(traces));
}

/** What is searched for. */
export function openTraces(secrets: Secrets, sealed: string): Traces {
  return JSON.parse(secrets.open(PURPOSE, sealed)) as Traces;
}

/** The same under another key; undefined if the first key doesn't open it. */
export function resealTraces(from: Secrets, to: Secrets, sealed: string): string | undefined {
  try {
    return sealTraces(to, openTraces(from, sealed));
  } catch {
    return undefined;
  }
}
