import type { Import } from '@steward/contract/directory';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { undoing } from '../upload/upload.queries.ts';
import { formatCount } from '../upload-text.ts';
import { importName } from './imports-list.tsx';

interface UndoConfirmProps {
  teamId: string;
  /** The import to undo; null while nobody asks. */
  imported: Import | null;
  onClose: () => void;
  onUndoing: (importId: string) => void;
}

/** Asks before an import is undone. */
export function UndoConfirm({ teamId, imported, onClose, onUndoing }: UndoConfirmProps) {
  // What was asked about stays to be read while the dialog closes.
  const [asked, setAsked] = useState(imported);
  if (imported !== null && imported !== asked) setAsked(imported);
  const undo = useMutation(undoing);
  if (asked === null) return null;
  const confirm = () =>
    undo.mutate(
      { params: { teamId, importId: asked.id } },
      {
        onSuccess: () => onUndoing(asked.id),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={imported !== null}
      onClose={onClose}
      title="Undo this import"
      question="Undo what this upload did to the directory?"
      detail={
        <>
          <strong>
            <bdi>{importName(asked)}</bdi>
          </strong>
          : {describeUndo(asked)}. Entries that somebody changed since stay as they are and are listed. Undoing cannot
          be undone.
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
      ? '1 entry that it added is removed'
      : `${formatCount(created, 'entry', 'entries')} that it added are removed`;
  const restored =
    changed === 1
      ? '1 entry that it changed is restored'
      : `${formatCount(changed, 'entry', 'entries')} that it changed are restored`;
  if (changed === 0) return removed;
  return created === 0 ? restored : `${removed}, ${restored}`;
}
