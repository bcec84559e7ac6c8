import type { ScimToken } from '@steward/contract/scim';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useRemoveToken } from './provisioning.queries.ts';

interface RemoveTokenDialogProps {
  teamId: string;
  token: ScimToken;
  opened: boolean;
  onClose: () => void;
}

/** Confirms the removal of a token. */
export function RemoveTokenDialog({ teamId, token, opened, onClose }: RemoveTokenDialogProps) {
  const remove = useRemoveToken(teamId, token.id);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Remove Token"
      question="Remove this token?"
      detail={
        <>
          <strong>
            <bdi>{token.name}</bdi>
          </strong>{' '}
          will stop working immediately. Users stay as they are, but none are added or deactivated until the provider
          has another token. This can’t be undone.
        </>
      }
      confirmLabel="Remove"
      danger
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => showAlert({ kind: 'success', text: 'Deleted Successfully' }),
          onError: (failure) => showAlert({ kind: 'error', text: getText(failure) }),
          onSettled: onClose,
        })
      }
    />
  );
}

function getText({ id, message }: Failure): string {
  return id === 'record.not_found' ? 'Someone else already removed this token.' : message;
}
