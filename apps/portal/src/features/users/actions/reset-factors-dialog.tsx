import type { User } from '@steward/contract/users';
import { resetFactors } from '@steward/contract/users/factors';
import { fullName } from '@steward/contract/users/names';
import { useMutation } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { Named } from '../user-name.tsx';

interface ResetFactorsDialogProps extends DialogControls {
  user: User;
}

export function ResetFactorsDialog({ user, opened, onClose }: ResetFactorsDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const { mutate, isPending } = useMutation(mutationOptionsFor(resetFactors));
  const reset = () =>
    mutate(
      { params: { teamId, userId: user.id } },
      closeWithAlert(`Second factors of ${fullName(user)} were removed`, onClose),
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Remove second factors"
      question="Remove all second factors of this user?"
      detail={
        <>
          The authenticator app, passkeys and recovery codes of <Named user={user} /> will stop working, and they will
          be signed out of all devices. After that, their password alone opens their account. First make sure that it's
          really them who asked.
        </>
      }
      confirmLabel="Remove"
      danger
      pending={isPending}
      onConfirm={reset}
    />
  );
}
