import { sendPasswordReset } from '@steward/contract/session';
import { revokeSessions, type User } from '@steward/contract/users';
import { useMutation } from '@tanstack/react-query';
import type { Failure } from '#platform/failure.ts';
import { mutationFor } from '#platform/queries.ts';
import { showAlert } from '#platform/ui/alerts.tsx';
import { ConfirmDialog } from '#platform/ui/confirm-dialog.tsx';
import { useCurrentTeam } from '#workspace/current-team.ts';
import { Named } from './named.tsx';

interface ConfirmProps {
  person: User;
  opened: boolean;
  onClose: () => void;
}

function endsWith(text: string, onClose: () => void) {
  return {
    onSuccess: () => showAlert({ kind: 'success', text }),
    onError: (failure: Failure) => showAlert({ kind: 'error', text: failure.message }),
    onSettled: onClose,
  };
}

/** Asks before a person is signed out everywhere (spec §8). */
export function RevokeDialog({ person, opened, onClose }: ConfirmProps) {
  const { id: teamId } = useCurrentTeam();
  const revoke = useMutation(mutationFor(revokeSessions));
  const params = { teamId, userId: person.id };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Revoke all sessions"
      question="Are you sure You want to revoke all sessions of this User?"
      detail={
        <>
          <Named person={person} /> is signed out on every device at once, and password reset links that were sent
          before stop working. The account itself stays as it is; signing in again is possible.
        </>
      }
      confirmLabel="Revoke all sessions"
      danger
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ params }, endsWith('All sessions of User revoked successfully', onClose))}
    />
  );
}

/** Asks before a reset mail goes out (spec §8). */
export function ResetDialog({ person, opened, onClose }: ConfirmProps) {
  const reset = useMutation(mutationFor(sendPasswordReset));
  const body = { email: person.email };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Send password reset"
      question="Are you sure You want to send Password reset email to this User?"
      detail={
        <>
          <Named person={person} /> gets a link for choosing a new password. The present password works until then.
        </>
      }
      confirmLabel="Send email"
      pending={reset.isPending}
      onConfirm={() => reset.mutate({ body }, endsWith('Password Reset Email sent successfully', onClose))}
    />
  );
}
