import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { PASSKEY_NAME_MAX, SMALL_BODY_MAX } from '../api/limits.ts';
import { Password } from '../session/passwords.ts';
import { normalizeCode } from './typed-code.ts';
import { AuthenticationResponse, RegistrationResponse, WebAuthnOptions } from './webauthn.ts';

/** Times are milliseconds since 1970. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: z.int(),
  /** Null if it was never used. */
  last_used_at: z.int().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

export const Factors = z.object({
  /** True if an authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.array(Passkey),
  /** Each recovery code works once. */
  recovery_codes_left: z.int(),
  /** False if the server's address is an IP address, for which browsers refuse passkeys. */
  passkeys_supported: z.boolean(),
  /** Address that confirms a session of single sign-on; null for other sessions, which use `reauthenticate`. */
  reauth_url: z.string().nullable(),
  /** Name of the identity provider that confirms the session; null for other sessions. */
  reauth_provider: z.string().nullable(),
  /** False for a session of single sign-on if the account is in other teams too: it can't change names, sessions and teams. */
  covers_account: z.boolean(),
});
export type Factors = z.infer<typeof Factors>;

/** A code of an authenticator app or a recovery code, as typed. */
export const FactorToken = text(200).overwrite(normalizeCode).min(1, 'is required');

/** New recovery codes, which no other response contains. Empty if the existing codes stay. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export const getFactors = endpoint({
  name: 'getFactors',
  method: 'GET',
  path: '/users/me/factors',
  summary: 'Get your second factors.',
  answer: Factors,
});

/**
 * Creates the secret of an authenticator app, which counts once `confirmTotp` has received a code. Repeated, it replaces the
 * previous secret. Refuses with `mfa.already_set_up`. Like every change of second factors, it needs a recent sign-in with a second
 * factor, if there is one (`session.reauth_required`), and is refused for single sign-on (`session.team_only`).
 */
export const addTotp = endpoint({
  name: 'addTotp',
  method: 'POST',
  path: '/users/me/factors/totp',
  summary: 'Begin to set up an authenticator app.',
  answer: z.object({ secret: z.string(), uri: z.string() }),
});

/** Returns recovery codes if this is the first factor. */
export const confirmTotp = endpoint({
  name: 'confirmTotp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/factors/totp/confirm',
  summary: 'Set up an authenticator app with a code of it.',
  body: z.object({ token: FactorToken }),
  answer: RecoveryCodes,
});

/** With the last factor the recovery codes end too. */
export const removeTotp = endpoint({
  name: 'removeTotp',
  method: 'DELETE',
  path: '/users/me/factors/totp',
  summary: 'Remove your authenticator app.',
  answer: Done,
});

/** The challenge can be used once, within five minutes. */
export const addPasskeyOptions = endpoint({
  name: 'addPasskeyOptions',
  method: 'POST',
  path: '/users/me/factors/passkeys/options',
  summary: 'Get the options for creating a passkey.',
  answer: WebAuthnOptions,
});

/** Returns recovery codes if this is the first factor. */
export const addPasskey = endpoint({
  name: 'addPasskey',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/factors/passkeys',
  summary: 'Add a passkey.',
  body: z.object({
    name: text(PASSKEY_NAME_MAX)
      .overwrite((name) => name.replace(/\s+/gu, ' ').trim())
      .refine(isVisible, 'is required'),
    response: RegistrationResponse,
  }),
  answer: RecoveryCodes.extend({ passkey: Passkey }),
});

/** With the last factor the recovery codes end too. */
export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/users/me/factors/passkeys/:passkeyId',
  summary: 'Remove a passkey.',
  params: z.object({ passkeyId: Id }),
  answer: Done,
});

/** Refuses with `mfa.not_set_up` without a second factor. */
export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/users/me/factors/recovery_codes',
  summary: 'Replace your recovery codes.',
  answer: RecoveryCodes,
});

/**
 * Confirms the user of the session, for dangerous changes within the next ten minutes: with the password, and a code if there is
 * a second factor, or with a passkey. The limits are those of sign-in. Refuses with `password.wrong`, `mfa.required`,
 * `mfa.wrong`, `mfa.throttled` or `passkey.refused`, and sessions of single sign-on with `session.reauth_sso`.
 */
export const reauthenticate = endpoint({
  name: 'reauthenticate',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/reauthenticate',
  summary: "Confirm that it's you.",
  body: z
    .object({
      password: Password.optional(),
      token: FactorToken.optional(),
      response: AuthenticationResponse.optional(),
    })
    .refine(({ password, response }) => (password === undefined) !== (response === undefined), {
      error: 'send a password or the response of a passkey',
    }),
  answer: Done,
});
