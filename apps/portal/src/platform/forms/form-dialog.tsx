import { Button, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { DiscardDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';

interface FormDialogProps extends DialogControls {
  title: string;
  submitLabel: string;
  /** Submitting can't be undone. */
  danger?: boolean;
  /** Closing would lose what was entered. */
  isDirty: boolean;
  /** There is nothing to save yet. */
  isIdle?: boolean;
  isSaving: boolean;
  /** The reason why saving failed, shown until the next attempt. */
  failure: string | undefined;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** The dialog asks before discarding input, and shows beside the fields why saving failed. */
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
        <form noValidate onSubmit={props.onSubmit}>
          <Stack gap={20} style={{ overflowWrap: 'anywhere' }}>
            {props.children}
            {/* The alert closes after 4 seconds; the reason stays beside the fields. */}
            {failure !== undefined && <Text c="var(--danger)">{failure}</Text>}
          </Stack>
          <DialogButtons>
            <Button variant="default" disabled={isSaving} onClick={close}>
              Cancel
            </Button>
            <Button
              type="submit"
              {...(props.danger && { color: 'red' })}
              loading={isSaving}
              disabled={props.isIdle ?? false}
            >
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
