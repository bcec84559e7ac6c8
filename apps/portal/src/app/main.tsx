// This import comes first, because the settings apply only to schemas that are created after them.
import { styleNonce } from './theme/settings.ts';
import './theme/styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { FirstSignIn } from '#features/session/sign-in-steps.tsx';
import { Failure } from '#platform/api/failure.ts';
import { canSignInWithCookie } from '#workspace/session/session.ts';
import { isMissingCode, markMissingCode } from './missing-code.ts';
import { cssVariables, theme } from './theme/theme.ts';

const SIGN_IN = '/login';

function needsSession(): boolean {
  return document.querySelector('meta[name="needs-session"]') !== null;
}

/**
 * True for a visitor who has to sign in first, at the sign-in form or at a screen that needs a session. The address is then that
 * of the form, with a path back.
 */
function startsWithSignIn(): boolean {
  if (canSignInWithCookie()) return false;
  const { pathname, search, hash } = location;
  if (pathname === SIGN_IN) return true;
  if (!needsSession()) return false;
  history.replaceState({ from: pathname + search + hash }, '', SIGN_IN);
  return true;
}

markMissingCode();
const colorSchemeManager = localStorageColorSchemeManager({ key: 'steward.colour-scheme' });
const place = document.getElementById('root');
if (place === null) throw new Error('The page has no place for the portal.');
const root = createRoot(place, { onCaughtError });

/** A refused call is shown on the screen; only unexpected errors are logged to the console. */
function onCaughtError(thrown: unknown): void {
  if (!(thrown instanceof Failure) && !isMissingCode(thrown)) console.error(thrown);
}

function show(screen: ReactNode): void {
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        getStyleNonce={() => styleNonce}
        colorSchemeManager={colorSchemeManager}
        defaultColorScheme="auto"
        deduplicateCssVariables={false}
      >
        {screen}
      </MantineProvider>
    </StrictMode>,
  );
}

const loadPortal = () => import('./portal.tsx');

async function showPortal(): Promise<void> {
  const { Portal } = await loadPortal();
  show(<Portal />);
}

/** The sign-in form doesn't need the router. The rest of the portal loads while the form is filled in. */
function showSignIn(): void {
  const enter = (path: string) => {
    history.replaceState(null, '', path);
    // The browser remembers a failed import, so only a reloaded page can fetch the code.
    void showPortal().catch(() => location.reload());
  };
  show(<FirstSignIn onType={() => void loadPortal().catch(() => undefined)} onEnter={enter} />);
}

void (startsWithSignIn() ? showSignIn() : showPortal());
