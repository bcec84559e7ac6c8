import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';

interface NewTokenProps extends DialogControls {
  /** A sentence and the fields to copy. */
  children: ReactNode;
}

/** The token can't be read again later, so a click outside the dialog must not close it. */
export function NewTokenDialog({ opened, onClose, children }: NewTokenProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the token now" width={520} closable={false}>
      {children}
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}

interface RemoveTokenProps extends DialogControls {
  name: string;
  /** Continues the sentence that starts with the name. */
  effect: string;
  isPending: boolean;
  onRemove: (ended: ReturnType<typeof closeWithAlert>) => void;
}

export function ConfirmRemoveToken({ name, effect, isPending, onRemove, opened, onClose }: RemoveTokenProps) {
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Remove Token"
      question="Remove this token?"
      detail={
        <>
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          {effect}
        </>
      }
      confirmLabel="Remove"
      danger
      pending={isPending}
      onConfirm={() => onRemove(closeWithAlert('Deleted Successfully', onClose, getText))}
    />
  );
}

function getText({ id, message }: Failure): string {
  return id === 'record.not_found' ? 'Someone else already removed this token.' : message;
}
