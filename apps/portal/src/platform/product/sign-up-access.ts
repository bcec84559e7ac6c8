import { SIGN_UP_ACCESS, type SignUpAccess } from '@steward/contract/signup';

/** The server writes this value into the page. Without it, the server decides when the form is sent. */
export function getSignUpAccess(): SignUpAccess {
  const given = document.querySelector<HTMLMetaElement>('meta[name="sign-up"]')?.content;
  return SIGN_UP_ACCESS.find((mode) => mode === given) ?? 'open';
}
