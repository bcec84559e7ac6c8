import { sendPasswordReset } from '@steward/contract/session';
import type { User } from '@steward/contract/users';
import { useMutation } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { Named } from '../user-name.tsx';

interface ConfirmProps extends DialogControls {
  user: User;
}

export function ResetDialog({ user, opened, onClose }: ConfirmProps) {
  const reset = useMutation(mutationOptionsFor(sendPasswordReset));
  const body = { email: user.email };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Send password reset"
      question="Are you sure You want to send Password reset email to this User?"
      detail={
        <>
          We'll email <Named user={user} /> a link to set a new password. Their current password keeps working until
          they use it.
        </>
      }
      confirmLabel="Send email"
      pending={reset.isPending}
      onConfirm={() => reset.mutate({ body }, closeWithAlert('Password Reset Email sent successfully', onClose))}
    />
  );
}
