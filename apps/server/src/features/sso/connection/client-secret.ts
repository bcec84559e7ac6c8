import type { Secrets } from '#platform/security/secrets.ts';
import type { Connection } from '#workspace/people/identity-providers/connections.store.ts';
import type { Client } from '../provider/providers.client.ts';

/** The purpose that client secrets are sealed for. */
export const CLIENT_SECRET_PURPOSE = 'sso-client-secret';

/** A client secret, encrypted for storage. */
export function sealSecret(secrets: Secrets, secret: string): string {
  return secrets.seal(CLIENT_SECRET_PURPOSE, secret);
}

/** The secret in plain text; undefined if no key opens it. */
export function openSecret(secrets: Secrets, sealed: string): string | undefined {
  try {
    return secrets.open(CLIENT_SECRET_PURPOSE, sealed);
  } catch {
    return undefined;
  }
}

/** The client of a connection, as the provider knows it. The secret is empty if there is none that can be read. */
export function toClient(secrets: Secrets, { id, issuer, client_id, client_secret }: Connection): Client {
  const secret = client_secret === null ? '' : (openSecret(secrets, client_secret) ?? '');
  return { connectionId: id, issuer, clientId: client_id, secret };
}
