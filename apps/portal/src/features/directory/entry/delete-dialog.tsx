import type { Entry } from '@steward/contract/directory';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { isGone, useRemoveEntry } from '../list/directory.queries.ts';

interface DeleteDialogProps {
  entry: Entry;
  opened: boolean;
  onClose: () => void;
}

/** Asks before an entry is deleted (spec §8). */
export function DeleteDialog({ entry, opened, onClose }: DeleteDialogProps) {
  const remove = useRemoveEntry(entry);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Delete Entry"
      question="Are you sure you want to delete this record?"
      detail={
        <>
          <strong>
            <bdi>{entry.name}</bdi>
          </strong>{' '}
          is taken out of the company directory for everyone. This cannot be undone.
        </>
      }
      confirmLabel="Delete"
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

function getText(failure: Failure): string {
  return isGone(failure) ? 'This entry does not exist any more: somebody else has deleted it.' : failure.message;
}
