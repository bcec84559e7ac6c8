import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { SMALL_BODY_MAX } from '../api/limits.ts';
import { AuthenticationResponse, WebAuthnOptions } from '../factors/webauthn.ts';
import { User } from '../users/users.ts';

/**
 * The challenge can be used once, within five minutes. With a session, the options name the user's passkeys, for
 * `reauthenticate`.
 */
export const getPasskeyOptions = endpoint({
  name: 'getPasskeyOptions',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/login/passkey/options',
  summary: 'Get the options for signing in with a passkey.',
  answer: WebAuthnOptions,
});

/** Signs in with a passkey, which counts as password and second factor; every failure is `passkey.refused`. */
export const loginWithPasskey = endpoint({
  name: 'loginWithPasskey',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/login/passkey',
  summary: 'Sign in with a passkey.',
  body: z.object({ response: AuthenticationResponse }),
  answer: User,
});
