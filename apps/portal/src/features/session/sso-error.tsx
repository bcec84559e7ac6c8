import { ERRORS } from '@steward/contract/api/errors';
import { FormError, FormNotice } from '#workspace/page/card.tsx';

const UNKNOWN = "Single sign-on didn't work. Try again.";

/** Single sign-on redirects back with the error in the query. */
export function readSsoErrorId(search: string): string | null {
  return new URLSearchParams(search).get('error');
}

export function SsoError({ id }: { id: string | null }) {
  if (id === null) return null;
  // Nothing went wrong, and the user can't correct it.
  const Line = id === 'sso.deactivated' ? FormNotice : FormError;
  return <Line>{findMessage(id)}</Line>;
}

function findMessage(id: string): string {
  const isOurs = /^(?:sso|rate)\./.test(id) && Object.hasOwn(ERRORS, id);
  return isOurs ? ERRORS[id as keyof typeof ERRORS].message : UNKNOWN;
}
