import type { Token } from '@steward/contract/tokens';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useRemoveToken } from './tokens.queries.ts';

interface RemoveTokenDialogProps {
  teamId: string;
  token: Token;
  opened: boolean;
  onClose: () => void;
}

/** Asks before a token ends. */
export function RemoveTokenDialog({ teamId, token, opened, onClose }: RemoveTokenDialogProps) {
  const remove = useRemoveToken(teamId, token);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Remove Token"
      question="Remove this token?"
      detail={
        <>
          The service that uses{' '}
          <strong>
            <bdi>{token.name}</bdi>
          </strong>{' '}
          can send nothing any more, from its next call on. What it has sent stays. This cannot be undone: to let it in
          again, make another token.
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
  return id === 'record.not_found' ? 'Somebody else has removed this token already.' : message;
}
