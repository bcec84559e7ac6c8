import type { Origin } from '#platform/http/http.ts';
import type { Connection } from '#workspace/users/identity-providers/connections.store.ts';
import type { Claims } from './claims.rules.ts';

/** A user returning from the provider. */
export interface Arrival {
  connection: Connection;
  claims: Claims;
  /** The session in which the sign-in started. `canLink` is true if it may link its user now. */
  session: { userId: string; canLink: boolean } | null;
  origin: Origin;
}
