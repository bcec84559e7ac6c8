import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { removingSso } from './sso.queries.ts';

/** Removes the connection, after asking. */
export function RemoveConnection({ teamId }: { teamId: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation(removingSso);
  const close = () => setAsking(false);
  const confirm = () =>
    remove.mutate(
      { params: { teamId } },
      {
        onSuccess: () => showAlert({ kind: 'success', text: 'Single sign-on removed' }),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: close,
      },
    );
  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove single sign-on
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={close}
        title="Remove single sign-on"
        question="Remove single sign-on from this team?"
        detail="Users who signed in that way are signed out and use their passwords from now on; those without one use “Forgot Password”. All links between users and the provider are removed. This can’t be undone."
        confirmLabel="Remove"
        danger
        pending={remove.isPending}
        onConfirm={confirm}
      />
    </div>
  );
}
