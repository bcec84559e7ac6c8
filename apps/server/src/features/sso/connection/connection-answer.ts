import type { SsoConnection } from '@steward/contract/sso/connection';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Env } from '#platform/env.ts';
import { hasBreakGlassOwner } from '#workspace/access/factors/factors.store.ts';
import { type Connection, findConnection } from '#workspace/users/identity-providers/connections.store.ts';

/** Each connection has its own redirect URI, so that a response can't be used for another connection. */
export function toRedirectUri({ publicUrl }: Env, connectionId: string): string {
  return `${publicUrl}/auth/oidc/${connectionId}/callback`;
}

const NOTHING = {
  id: null,
  name: '',
  issuer: '',
  client_id: '',
  has_secret: false,
  enabled: false,
  required: false,
  jit: false,
  default_role: 'team_user',
  group_claim: '',
  group_roles: {},
  redirect_uri: '',
  logout_uri: '',
  tested_at: null,
} as const;

/** The response never contains the secret. */
export async function readConnection(db: Database | Trx, env: Env, teamId: string): Promise<SsoConnection> {
  const connection = await findConnection(db, teamId);
  const has_break_glass = await hasBreakGlassOwner(db, teamId);
  return connection === undefined ? { ...NOTHING, has_break_glass } : { ...toAnswer(env, connection), has_break_glass };
}

function toAnswer(env: Env, connection: Connection): Omit<SsoConnection, 'has_break_glass'> {
  const { team_id: _team, client_secret, ...rest } = connection;
  return {
    ...rest,
    has_secret: client_secret !== null,
    redirect_uri: toRedirectUri(env, rest.id),
    logout_uri: `${env.publicUrl}/auth/oidc/${rest.id}/logout`,
  };
}
