import type { Import } from '@steward/contract/directory';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { formatCount } from '#platform/upload/steps/upload-text.ts';
import { undoing } from '../upload/upload.queries.ts';
import { importName } from './imports-list.tsx';

interface UndoConfirmProps {
  teamId: string;
  /** The import to undo; null while the dialog is closed. */
  imported: Import | null;
  onClose: () => void;
  onUndoing: (importId: string) => void;
}

/** Asks before an import is undone. */
export function UndoConfirm({ teamId, imported, onClose, onUndoing }: UndoConfirmProps) {
  // Stays readable while the dialog closes.
  const [shown, setShown] = useState(imported);
  if (imported !== null && imported !== shown) setShown(imported);
  const undo = useMutation(undoing);
  if (shown === null) return null;
  const confirm = () =>
    undo.mutate(
      { params: { teamId, importId: shown.id } },
      {
        onSuccess: () => onUndoing(shown.id),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={imported !== null}
      onClose={onClose}
      title="Undo this import"
      question="Undo the changes of this import?"
      detail={
        <>
          <strong>
            <bdi>{importName(shown)}</bdi>
          </strong>
          : {describeUndo(shown)}. Entries that were edited or deleted later stay as they are and are listed. This can’t
          be reversed.
        </>
      }
      confirmLabel="Undo this import"
      danger
      pending={undo.isPending}
      onConfirm={confirm}
    />
  );
}

function describeUndo({ created, changed }: Import): string {
  const removed =
    created === 1
      ? '1 added entry will be removed'
      : `${formatCount(created, 'added entry', 'added entries')} will be removed`;
  const restored =
    changed === 1
      ? '1 updated entry will be restored'
      : `${formatCount(changed, 'updated entry', 'updated entries')} will be restored`;
  if (changed === 0) return removed;
  return created === 0 ? restored : `${removed}, ${restored}`;
}
