import { ERRORS, REFUSAL_COOKIE } from '@steward/contract/api/errors';
import { useState } from 'react';
import { FormError, FormNotice } from '#workspace/page/card.tsx';

const UNKNOWN = "Single sign-on didn't work. Try again.";

/** Single sign-on redirects back with the error in the query. */
export function readSsoErrorId(search: string): string | null {
  return new URLSearchParams(search).get('error');
}

export function SsoError({ id }: { id: string | null }) {
  const [refusal] = useState(() => readRefusal(document.cookie));
  if (id === null) return null;
  // Nothing went wrong, and the user can't correct it.
  if (id === 'sso.deactivated') return <FormNotice>{refusal ?? findMessage(id)}</FormNotice>;
  return <FormError>{findMessage(id)}</FormError>;
}

/** The message with names, which the server has left for a minute. It isn't in the address, where anyone could put one. */
export function readRefusal(cookies: string): string | undefined {
  const value = new RegExp(`(?:^|; )(?:__Host-)?${REFUSAL_COOKIE}=([^;]*)`).exec(cookies)?.[1];
  return value === undefined ? undefined : decodeURIComponent(value);
}

function findMessage(id: string): string {
  const isOurs = /^(?:sso|rate)\./.test(id) && Object.hasOwn(ERRORS, id);
  return isOurs ? ERRORS[id as keyof typeof ERRORS].message : UNKNOWN;
}
