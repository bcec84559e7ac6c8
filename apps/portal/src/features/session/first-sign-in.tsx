import { useState } from 'react';
import { SignInSteps } from './sign-in-steps.tsx';
import { readSsoErrorId } from './sso-error.tsx';
import type { Opening } from './use-login.ts';

interface FirstSignInProps {
  /** Something is typed, so the portal will soon be needed. */
  onType: () => void;
  /** Opens the portal at a path. */
  onEnter: (path: string) => void;
}

/** The sign-in form as the first screen of a visit. It knows no router: that comes with the portal. */
export function FirstSignIn({ onType, onEnter }: FirstSignInProps) {
  const [opening] = useState(readOpening);
  return (
    <div style={{ display: 'contents' }} onInput={onType}>
      <SignInSteps opening={opening} onEnter={onEnter} />
    </div>
  );
}

/** From the entry in the tab's history, where the router keeps it too: the page may have been reloaded. */
function readOpening(): Opening {
  const state: unknown = history.state;
  const { from, notice, error } = (state ?? {}) as Omit<Opening, 'ssoErrorId'>;
  return { from, notice, error, ssoErrorId: readSsoErrorId(location.search) };
}
