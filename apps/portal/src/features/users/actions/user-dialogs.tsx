import type { ListedUser, UserAction } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { Suspense } from 'react';
import type { DialogState } from '#platform/dialogs/dialog-state.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import { isLifecycleAction } from '../lifecycle/lifecycle-actions.ts';

// No visit starts with a dialog, so the dialogs are loaded on demand.
const ResetDialog = lazyComponent(async () => (await import('./reset-dialog.tsx')).ResetDialog);
const ResetFactorsDialog = lazyComponent(async () => (await import('./reset-factors-dialog.tsx')).ResetFactorsDialog);
const RevokeDialog = lazyComponent(async () => (await import('../sessions/revoke-dialog.tsx')).RevokeDialog);
const OwnSessionsDialog = lazyComponent(async () => (await import('../sessions/revoke-dialog.tsx')).OwnSessionsDialog);
const ResendDialog = lazyComponent(async () => (await import('../invitations/invitation-dialogs.tsx')).ResendDialog);
const CancelDialog = lazyComponent(async () => (await import('../invitations/invitation-dialogs.tsx')).CancelDialog);
const FailedDialog = lazyComponent(async () => (await import('../invitations/failed-dialog.tsx')).FailedDialog);
const LifecycleDialog = lazyComponent(async () => (await import('../lifecycle/lifecycle-dialog.tsx')).LifecycleDialog);
const ExportDialog = lazyComponent(async () => (await import('../privacy/export-dialog.tsx')).ExportDialog);
const EraseDialog = lazyComponent(async () => (await import('../privacy/erase-dialog.tsx')).EraseDialog);
const UserDialog = lazyComponent(async () => (await import('./user-dialog.tsx')).UserDialog);

export type DialogName = UserAction | 'add' | 'failed';

const toSubject = (user: ListedUser) => ({ id: user.id, name: fullName(user), email: user.email });

export function UserDialogs({ current, close }: DialogState<DialogName, ListedUser>) {
  const { what, about: user, opened, time } = current;
  if (time === 0) return null;
  const dialog = { opened, onClose: close };
  return (
    <Suspense fallback={null}>
      {user !== null && what === 'revoke_sessions' ? (
        <RevokeDialog key={time} user={user} {...dialog} />
      ) : user !== null && what === 'view_sessions' ? (
        <OwnSessionsDialog key={time} user={user} {...dialog} />
      ) : user !== null && what === 'send_password_reset' ? (
        <ResetDialog key={time} user={user} {...dialog} />
      ) : user !== null && what === 'reset_factors' ? (
        <ResetFactorsDialog key={time} user={user} {...dialog} />
      ) : user !== null && what === 'resend_invitation' ? (
        <ResendDialog key={time} user={user} {...dialog} />
      ) : user !== null && what === 'cancel_invitation' ? (
        <CancelDialog key={time} user={user} {...dialog} />
      ) : user !== null && isLifecycleAction(what) ? (
        <LifecycleDialog key={time} action={what} user={user} {...dialog} />
      ) : user !== null && what === 'export' ? (
        <ExportDialog key={time} user={toSubject(user)} {...dialog} />
      ) : user !== null && what === 'erase' ? (
        <EraseDialog key={time} user={toSubject(user)} {...dialog} />
      ) : what === 'failed' ? (
        <FailedDialog key={time} {...dialog} />
      ) : (
        <UserDialog key={time} user={user} {...dialog} />
      )}
    </Suspense>
  );
}
