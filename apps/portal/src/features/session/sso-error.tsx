import { useEffect, useState } from 'react';
import { FormError } from '#workspace/page/card.tsx';

const UNKNOWN = "Single sign-on didn't work. Try again.";

/** The error that single sign-on led back with, from the query of an address; null without one. */
export function readSsoErrorId(search: string): string | null {
  return new URLSearchParams(search).get('error');
}

/** Why single sign-on failed, where it led back to this page. */
export function SsoError({ id }: { id: string | null }) {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (id !== null) void findMessage(id).then(setMessage, () => setMessage(UNKNOWN));
  }, [id]);
  return id === null || message === undefined ? null : <FormError>{message}</FormError>;
}

/** The catalog of messages is loaded only here: nobody else who signs in needs it. */
async function findMessage(id: string): Promise<string> {
  const { ERRORS } = await import('@steward/contract/api/errors');
  const isOurs = /^(?:sso|rate)\./.test(id) && Object.hasOwn(ERRORS, id);
  return isOurs ? ERRORS[id as keyof typeof ERRORS].message : UNKNOWN;
}
