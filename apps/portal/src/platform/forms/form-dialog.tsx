import { Button } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { DiscardDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import classes from './form-dialog.module.css';

interface FormDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  submitLabel: string;
  /** Something was entered that closing would lose. */
  isDirty: boolean;
  /** There is nothing to save yet. */
  isIdle?: boolean;
  isSaving: boolean;
  /** Why saving failed, shown until it is tried again. */
  failure: string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** A dialog with a form: nothing that was typed is lost without a question, and a refusal stays beside the fields. */
export function FormDialog(props: FormDialogProps) {
  const { opened, onClose, isDirty, isSaving, failure } = props;
  const isUnsaved = opened && isDirty;
  const { isConfirming, ask, ...answer } = useDiscardPrompt(isUnsaved);
  const close = () => {
    if (isUnsaved) ask();
    else onClose();
  };
  return (
    <>
      <Dialog opened={opened} onClose={close} title={props.title} closable={!isSaving && !isConfirming}>
        <form noValidate className={classes.form} onSubmit={props.onSubmit}>
          {props.children}
          {failure !== undefined && <p className={classes.failure}>{failure}</p>}
          <DialogButtons>
            <Button variant="default" disabled={isSaving} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={props.isIdle ?? false}>
              {props.submitLabel}
            </Button>
          </DialogButtons>
        </form>
      </Dialog>
      <DiscardDialog
        opened={isConfirming}
        isKept={opened}
        onKeepPrevious={answer.stay}
        onDiscard={() => answer.leave(onClose)}
      />
    </>
  );
}
