import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogButtons } from './dialog-buttons.tsx';
import { ignoreRepeat } from './ignore-repeat.ts';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The spec's sentence, as it stands. */
  question: string;
  /** What will happen, to whom and how many; says so when it cannot be undone. */
  detail?: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  /** The change is under way: nothing can be pressed twice or closed over it. */
  pending?: boolean;
  /** Off when what opened the dialog goes away together with it. */
  returnFocus?: boolean;
  onConfirm: () => void;
}

/** Asks before something happens (spec §4). Cancel has the focus, so a stray Enter does nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, onClose, title, question, detail, confirmLabel, danger = false, pending = false, onConfirm } = props;
  const { returnFocus = true } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={title} closable={!pending} returnFocus={returnFocus}>
      <p className={classes.question}>{question}</p>
      {detail !== undefined && <div className={classes.detail}>{detail}</div>}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={pending} onClick={onClose}>
          Cancel
        </Button>
        <Button {...(danger && { color: 'red' })} loading={pending} onKeyDown={ignoreRepeat} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
