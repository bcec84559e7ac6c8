import { isGoogle } from '@steward/contract/sso/issuer';

/** A request to the provider to sign a user in again. */
export interface ReauthRequest {
  /** Parameters of the authorization request. */
  parameters: Record<string, string>;
  /** Greatest age of the sign-in in seconds; the ID token must then say when it was. Absent if the provider doesn't say. */
  maxAge?: number;
}

/** Google documents neither `prompt=login` nor `max_age`: a user can only be asked to choose the account. */
export function getReauthRequest(issuer: string): ReauthRequest {
  if (isGoogle(issuer)) return { parameters: { prompt: 'select_account' } };
  return { parameters: { prompt: 'login', max_age: '0' }, maxAge: 0 };
}
