import type { User } from '@steward/contract/users';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ActionName } from './actions.rules.ts';
import { ResetDialog, RevokeDialog } from './confirm-action.tsx';

// No visit begins with this form, so its code stays out of the first load.
const UserDialog = lazy(async () => ({ default: (await import('./user-dialog.tsx')).UserDialog }));

/** Which dialog is open; it keeps its person while it closes, so that no name disappears before the dialog does. */
interface Asked {
  what: ActionName | 'add';
  person: User | null;
  opened: boolean;
  /** Counts openings: each gets a fresh dialog. */
  time: number;
}

interface UserDialogsState {
  asked: Asked;
  open: (what: Asked['what'], person?: User) => void;
  close: () => void;
}

export function useUserDialogs(): UserDialogsState {
  const [asked, setAsked] = useState<Asked>({ what: 'add', person: null, opened: false, time: 0 });
  const opener = useRef<Element | null>(null);
  const open = useCallback<UserDialogsState['open']>((what, person) => {
    opener.current = document.activeElement;
    setAsked(({ time }) => ({ what, person: person ?? null, opened: true, time: time + 1 }));
  }, []);
  const close = useCallback(() => setAsked((before) => ({ ...before, opened: false })), []);

  // A dialog that is rendered open has not seen where the focus was, so it cannot give it back itself.
  useEffect(() => {
    if (!asked.opened && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
  }, [asked.opened]);
  return { asked, open, close };
}

/** The dialogs of this room, one at a time. */
export function UserDialogs({ asked, close }: UserDialogsState) {
  const { what, person, opened, time } = asked;
  if (time === 0) return null;
  const dialog = { opened, onClose: close };
  if (person !== null && what === 'revoke') return <RevokeDialog key={time} person={person} {...dialog} />;
  if (person !== null && what === 'reset') return <ResetDialog key={time} person={person} {...dialog} />;
  return (
    <Suspense fallback={null}>
      <UserDialog key={time} person={person} {...dialog} />
    </Suspense>
  );
}
