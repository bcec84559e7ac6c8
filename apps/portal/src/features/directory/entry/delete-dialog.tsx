import { UNDO_DAYS } from '@steward/contract/api/limits';
import type { Entry } from '@steward/contract/directory';
import { useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { isGone, useRemoveEntry, useRestoreEntry } from './entry.queries.ts';

interface DeleteDialogProps extends DialogControls {
  entry: Entry;
}

export function DeleteDialog({ entry, opened, onClose }: DeleteDialogProps) {
  const remove = useRemoveEntry(entry);
  const undo = useUndo(entry);
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
          will be deleted from the company directory for everyone. You can restore it from the audit log for {UNDO_DAYS}{' '}
          days.
        </>
      }
      confirmLabel="Delete"
      danger
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () =>
            showAlert({ kind: 'success', text: 'Deleted Successfully', action: { label: 'Undo', run: undo } }),
          onError: (failure) => showAlert({ kind: 'error', text: getText(failure) }),
          onSettled: onClose,
        })
      }
    />
  );
}

function useUndo(entry: Entry): () => void {
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const restore = useRestoreEntry();
  const onError = (failure: Failure) =>
    showAlert({ kind: 'error', text: failure.message, action: { label: 'Retry', run } });
  const run = () =>
    restore(entry.id, idempotencyKeyFor(entry.id)).then(() => showSuccess(`${entry.name} was restored.`), onError);
  return () => void run();
}

function getText(failure: Failure): string {
  return isGone(failure) ? 'This entry was already deleted by someone else.' : failure.message;
}
