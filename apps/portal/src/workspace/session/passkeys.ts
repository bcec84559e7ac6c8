import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { AuthenticationResponse, RegistrationResponse } from '@steward/contract/factors/webauthn';
import { getPasskeyOptions } from '@steward/contract/session/passkey';
import { call } from '#platform/api/api.ts';

// Most visits use no passkey, so their code is loaded with the first one.
const load = () => import('@simplewebauthn/browser');

/** Browsers have no passkeys for pages opened by an IP address. */
export const isAtAddress = () => /^(?:\[.*\]|[\d.]+)$/.test(location.hostname);

/** Passkeys don't work at an IP address, or without HTTPS on another machine. */
export function arePasskeysSupported(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && !isAtAddress();
}

/** Returns null if the user canceled. */
export async function signWithPasskey({ isAutofill = false } = {}): Promise<AuthenticationResponse | null> {
  const { startAuthentication, browserSupportsWebAuthnAutofill } = await load();
  if (isAutofill && !(await browserSupportsWebAuthnAutofill())) return null;
  const { options } = await call(getPasskeyOptions, {});
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return unlessCanceled(
    () => startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }) as Promise<AuthenticationResponse>,
  );
}

/** Ends the choice of passkeys that the browser offers in a field. */
export async function cancelPasskeys(): Promise<void> {
  const { WebAuthnAbortService } = await load();
  WebAuthnAbortService.cancelCeremony();
}

/** Returns null if the user canceled. */
export async function createPasskey(options: Record<string, unknown>): Promise<RegistrationResponse | null> {
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return unlessCanceled(() => startRegistration({ optionsJSON }) as Promise<RegistrationResponse>);
}

/** Browsers don't say if a user canceled or had no passkey. */
async function unlessCanceled<Result>(ceremony: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ceremony();
  } catch (thrown) {
    const { name = '', code = '', cause } = thrown as { name?: string; code?: string; cause?: { name?: string } };
    if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device already has a passkey for your account.');
    if ([name, cause?.name].some((each) => each === 'NotAllowedError' || each === 'AbortError')) return null;
    throw new Error("This browser couldn't use a passkey here.");
  }
}
