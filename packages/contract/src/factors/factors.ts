import { z } from 'zod';
import { endpoint } from '../api/endpoint.ts';
import { Done } from '../api/errors.ts';
import { Id, isVisible, text } from '../api/fields.ts';
import { PASSKEY_NAME_MAX, PASSWORD_MAX, SMALL_BODY_MAX } from '../api/limits.ts';
import { AuthenticationResponse, RegistrationResponse, WebAuthnOptions } from './webauthn.ts';

/** A passkey of the signed-in user. Times are milliseconds since 1970. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  created_at: z.int(),
  /** Null if it was never used to sign in or confirm. */
  last_used_at: z.int().nullable(),
});
export type Passkey = z.infer<typeof Passkey>;

/** The second factors of the signed-in user. */
export const Factors = z.object({
  /** Whether an authenticator app is set up. */
  totp: z.boolean(),
  passkeys: z.array(Passkey),
  /** Recovery codes that were not used; each works once. */
  recovery_codes_left: z.int(),
  /** Whether passkeys work at the address of this server: browsers refuse them for IP addresses. */
  passkeys_supported: z.boolean(),
  /** Where a session that began with single sign-on confirms who it is; null for other sessions, which use `reauthenticate`. */
  reauth_url: z.string().nullable(),
  /** The identity provider where that is, as its users call it; null for other sessions. */
  reauth_provider: z.string().nullable(),
  /** Whether the session may change names, sessions and teams: not by single sign-on of one team, if the account is in others. */
  covers_account: z.boolean(),
});
export type Factors = z.infer<typeof Factors>;

/** A code of an authenticator app or a recovery code, as typed: blanks and hyphens are ignored. */
export const FactorToken = text(200).min(1, 'is required');

/** New recovery codes, shown only here. Empty where the existing ones stay. */
const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

/** The second factors of the signed-in user, without anything secret. */
export const getFactors = endpoint({
  name: 'getFactors',
  method: 'GET',
  path: '/users/me/factors',
  summary: 'Get your second factors.',
  answer: Factors,
});

/**
 * Creates the secret of an authenticator app, which counts once `confirmTotp` has received a code; repeated, it replaces the
 * one before. Refuses with `mfa.already_set_up`. Like every change of second factors, it needs a recent sign-in with a second
 * factor, if there is one (`session.reauth_required`), and is refused for single sign-on (`session.team_only`).
 */
export const addTotp = endpoint({
  name: 'addTotp',
  method: 'POST',
  path: '/users/me/factors/totp',
  summary: 'Begin to set up an authenticator app.',
  answer: z.object({ secret: z.string(), uri: z.string() }),
});

/** Finishes setting up an authenticator app with a code of it. Returns recovery codes if it is the first factor. */
export const confirmTotp = endpoint({
  name: 'confirmTotp',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/factors/totp/confirm',
  summary: 'Set up an authenticator app with a code of it.',
  body: z.object({ token: FactorToken }),
  answer: RecoveryCodes,
});

/** Removes the authenticator app. Without any factor left, recovery codes end too. */
export const removeTotp = endpoint({
  name: 'removeTotp',
  method: 'DELETE',
  path: '/users/me/factors/totp',
  summary: 'Remove your authenticator app.',
  answer: Done,
});

/** Options for creating a passkey in the browser; its challenge can be used once, within five minutes. */
export const addPasskeyOptions = endpoint({
  name: 'addPasskeyOptions',
  method: 'POST',
  path: '/users/me/factors/passkeys/options',
  summary: 'Get the options for creating a passkey.',
  answer: WebAuthnOptions,
});

/** Adds a passkey that the browser created. Returns recovery codes if it is the first factor. */
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

/** Removes a passkey. Without any factor left, recovery codes end too. */
export const removePasskey = endpoint({
  name: 'removePasskey',
  method: 'DELETE',
  path: '/users/me/factors/passkeys/:passkeyId',
  summary: 'Remove a passkey.',
  params: z.object({ passkeyId: Id }),
  answer: Done,
});

/** Replaces all recovery codes. Refuses with `mfa.not_set_up` without a second factor. */
export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/users/me/factors/recovery_codes',
  summary: 'Replace your recovery codes.',
  answer: RecoveryCodes,
});

/**
 * Confirms who holds the session, for dangerous changes within the next ten minutes: with the password, and a code if there is a
 * second factor, or with a passkey. Limits are those of sign-in. Refuses with `password.wrong`, `mfa.required`, `mfa.wrong`,
 * `mfa.throttled` or `passkey.refused`; for single sign-on with `session.reauth_sso` and where to go.
 */
export const reauthenticate = endpoint({
  name: 'reauthenticate',
  bodyLimit: SMALL_BODY_MAX,
  method: 'POST',
  path: '/users/me/reauthenticate',
  summary: "Confirm that it's you.",
  body: z
    .object({
      password: text(PASSWORD_MAX).min(1, 'is required').optional(),
      token: FactorToken.optional(),
      response: AuthenticationResponse.optional(),
    })
    .refine(({ password, response }) => (password === undefined) !== (response === undefined), {
      error: 'send a password or the response of a passkey',
    }),
  answer: Done,
});
