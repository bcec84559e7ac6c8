import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { ignoreRepeat } from './ignore-repeat.ts';

interface ConfirmationProps {
  onClose: () => void;
  /** The spec's sentence, as it stands. */
  question: string;
  /** What will happen, to whom and how many; says so when it cannot be undone. */
  detail?: ReactNode;
  confirmLabel: string;
  /** Label of the button that changes nothing; Cancel unless given. */
  cancelLabel?: string;
  danger?: boolean;
  /** The change is under way: nothing can be pressed twice or closed over it. */
  pending?: boolean;
  onConfirm: () => void;
  /** What the answer is about, between the question and its buttons. */
  children?: ReactNode;
}

interface ConfirmDialogProps extends ConfirmationProps {
  opened: boolean;
  title: string;
  /** Off when what opened the dialog goes away together with it. */
  returnFocus?: boolean;
}

/** Asks before something happens. Cancel has the focus, so a stray Enter does nothing. */
export function ConfirmDialog({ opened, title, returnFocus = true, ...asked }: ConfirmDialogProps) {
  const { onClose, pending = false } = asked;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} closable={!pending} returnFocus={returnFocus}>
      <Confirmation {...asked} />
    </Dialog>
  );
}

/** The question and its answers, for a dialog that goes on after them. */
export function Confirmation(props: ConfirmationProps) {
  const { onClose, question, detail, confirmLabel, cancelLabel = 'Cancel', onConfirm, children } = props;
  const { danger = false, pending = false } = props;
  return (
    <>
      <p className={classes.question}>{question}</p>
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
