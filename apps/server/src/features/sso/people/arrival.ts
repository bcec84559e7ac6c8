import type { Origin } from '#platform/http/http.ts';
import type { Connection } from '#workspace/people/identity-providers/connections.store.ts';
import type { Claims } from './claims.rules.ts';

/** A user returning from the provider. */
export interface Arrival {
  connection: Connection;
  claims: Claims;
  /** The user of the browser's session when the sign-in started. `canLink` is true if the session may link this user. */
  session: { personId: string; canLink: boolean } | null;
  origin: Origin;
}
