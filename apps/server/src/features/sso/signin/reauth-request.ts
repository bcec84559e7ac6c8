import { isGoogle } from '@steward/contract/sso/issuer';

export interface ReauthRequest {
  /** Parameters of the authorization request. */
  parameters: Record<string, string>;
  /** Maximum age of the sign-in in seconds; the ID token must then contain its time. Absent if the provider doesn't support it. */
  maxAge?: number;
}

/** Google documents neither `prompt=login` nor `max_age`, so its users can only be asked to choose an account. */
export function getReauthRequest(issuer: string): ReauthRequest {
  if (isGoogle(issuer)) return { parameters: { prompt: 'select_account' } };
  return { parameters: { prompt: 'login', max_age: '0' }, maxAge: 0 };
}
