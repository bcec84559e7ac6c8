import type { Secrets } from '#platform/security/secrets.ts';
import type { Connection } from '#workspace/users/identity-providers/connections.store.ts';
import type { Client } from '../provider/providers.client.ts';

export const CLIENT_SECRET_PURPOSE = 'sso-client-secret';

export function sealSecret(secrets: Secrets, secret: string): string {
  return secrets.seal(CLIENT_SECRET_PURPOSE, secret);
}

/** Returns undefined if no key decrypts it. */
export function openSecret(secrets: Secrets, sealed: string): string | undefined {
  try {
    return secrets.open(CLIENT_SECRET_PURPOSE, sealed);
  } catch {
    return undefined;
  }
}

/** The secret is empty if none is stored, or it can't be decrypted. */
export function toClient(secrets: Secrets, { id, issuer, client_id, client_secret }: Connection): Client {
  const secret = client_secret === null ? '' : (openSecret(secrets, client_secret) ?? '');
  return { connectionId: id, issuer, clientId: client_id, secret };
}
