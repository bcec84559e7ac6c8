import type { Origin } from '#platform/http/http.ts';
import type { Connection } from '#workspace/people/identity-providers/connections.store.ts';
import type { Claims } from './claims.rules.ts';

/** A user who came back from the provider. */
export interface Arrival {
  connection: Connection;
  claims: Claims;
  /** The user that the browser was signed in as when it began; `canLink` if that proves enough to link them. */
  session: { personId: string; canLink: boolean } | null;
  origin: Origin;
}
