import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogButtons, ignoreRepeat } from './dialog-buttons.tsx';

interface ConfirmationProps {
  onClose: () => void;
  /** The exact sentence of the product reference, if it has one. */
  question: string;
  /** Says what will happen, to whom and how many, and if it can't be undone. */
  detail?: ReactNode;
  confirmLabel: string;
  /** Label of the button that changes nothing. */
  cancelLabel?: string;
  danger?: boolean;
  /** The change is in progress, so nothing can be pressed again and the dialog can't be closed. */
  pending?: boolean;
  onConfirm: () => void;
  children?: ReactNode;
}

interface ConfirmDialogProps extends ConfirmationProps {
  opened: boolean;
  title: string;
  /** Set to false if the opener disappears together with the dialog. */
  returnFocus?: boolean;
}

/** Cancel has the focus, so a stray Enter does nothing. */
export function ConfirmDialog({ opened, title, returnFocus = true, ...confirmation }: ConfirmDialogProps) {
  const { onClose, pending = false } = confirmation;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} closable={!pending} returnFocus={returnFocus}>
      <Confirmation {...confirmation} />
    </Dialog>
  );
}

/** Without the frame, for a dialog that shows more after the answer. */
export function Confirmation(props: ConfirmationProps) {
  const { onClose, question, detail, confirmLabel, cancelLabel = 'Cancel', onConfirm, children } = props;
  const { danger = false, pending = false } = props;
  return (
    <>
      <Text fw={500}>{question}</Text>
      {detail !== undefined && <div className={classes.detail}>{detail}</div>}
      {children}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={pending} onClick={onClose}>
          {cancelLabel}
        </Button>
        <Button {...(danger && { color: 'red' })} loading={pending} onKeyDown={ignoreRepeat} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </>
  );
}
