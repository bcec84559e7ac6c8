import type { User } from '@steward/contract/users';
import { lazy, Suspense } from 'react';
import type { Asking } from '#platform/ui/asked.ts';
import type { ActionName } from './actions.rules.ts';

// No visit begins with a dialog, so their code stays out of the first load.
const ResetDialog = lazy(async () => ({ default: (await import('./confirm-action.tsx')).ResetDialog }));
const RevokeDialog = lazy(async () => ({ default: (await import('./revoke-dialog.tsx')).RevokeDialog }));
const OwnSessionsDialog = lazy(async () => ({ default: (await import('./revoke-dialog.tsx')).OwnSessionsDialog }));
const ResendDialog = lazy(async () => ({ default: (await import('./invitation-dialogs.tsx')).ResendDialog }));
const CancelDialog = lazy(async () => ({ default: (await import('./invitation-dialogs.tsx')).CancelDialog }));
const FailedDialog = lazy(async () => ({ default: (await import('./failed-dialog.tsx')).FailedDialog }));
const UserDialog = lazy(async () => ({ default: (await import('./user-dialog.tsx')).UserDialog }));

/** What one of them is opened for: an action of a row, adding somebody, or the invitations that did not arrive. */
export type DialogName = ActionName | 'add' | 'failed';

/** The dialogs of this room, one at a time. */
export function UserDialogs({ asked, close }: Asking<DialogName, User>) {
  const { what, about: person, opened, time } = asked;
  if (time === 0) return null;
  const dialog = { opened, onClose: close };
  return (
    <Suspense fallback={null}>
      {person !== null && what === 'revoke' ? (
        <RevokeDialog key={time} person={person} {...dialog} />
      ) : person !== null && what === 'sessions' ? (
        <OwnSessionsDialog key={time} person={person} {...dialog} />
      ) : person !== null && what === 'reset' ? (
        <ResetDialog key={time} person={person} {...dialog} />
      ) : person !== null && what === 'resend' ? (
        <ResendDialog key={time} person={person} {...dialog} />
      ) : person !== null && what === 'cancel' ? (
        <CancelDialog key={time} person={person} {...dialog} />
      ) : what === 'failed' ? (
        <FailedDialog key={time} {...dialog} />
      ) : (
        <UserDialog key={time} person={person} {...dialog} />
      )}
    </Suspense>
  );
}
