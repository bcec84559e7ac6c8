import { useState } from 'react';
import { SignInSteps } from './sign-in-steps.tsx';
import { readSsoErrorId } from './sso-error.tsx';
import type { Opening } from './use-login.ts';

interface FirstSignInProps {
  /** Called on the first input, because the portal will soon be needed. */
  onType: () => void;
  onEnter: (path: string) => void;
}

/** This is the first screen of a visit. It has no router, because the router is loaded with the portal. */
export function FirstSignIn({ onType, onEnter }: FirstSignInProps) {
  const [opening] = useState(readOpening);
  return (
    <div style={{ display: 'contents' }} onInput={onType}>
      <SignInSteps opening={opening} onEnter={onEnter} />
    </div>
  );
}

/** The page may have been reloaded, so the values come from the history entry, where the router stores them too. */
function readOpening(): Opening {
  const state: unknown = history.state;
  const { from, notice, error } = (state ?? {}) as Omit<Opening, 'ssoErrorId'>;
  return { from, notice, error, ssoErrorId: readSsoErrorId(location.search) };
}
