import { Button, Loader } from '@mantine/core';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { ignoreRepeat } from '#platform/dialogs/ignore-repeat.ts';
import { Icon } from '#platform/page/icon.tsx';
import { Impacts } from './impacts.tsx';
import classes from './save-dialog.module.css';
import type { Asking } from './use-saving.ts';

interface SaveDialogProps {
  teamId: string;
  asking: Asking;
}

/** Names what a rule would delete, before it is saved (design §6). Cancel has the focus, so a stray Enter does nothing. */
export function SaveDialog({ teamId, asking }: SaveDialogProps) {
  const { asked, opened, isSaving, close, retry, confirm } = asking;
  return (
    <Dialog opened={opened} onClose={close} title="Save the rule" width={520} closable={!isSaving} returnFocus={false}>
      {asked.step === 'counting' && (
        <p className={classes.counting} role="status">
          <Loader size={16} aria-hidden="true" /> Counting what this rule would delete…
        </p>
      )}
      {asked.step === 'failed' && (
        <p className={classes.failed} role="alert">
          What this rule would delete could not be counted: {asked.reason} Nothing was saved.
        </p>
      )}
      {asked.step === 'ready' && <Impacts teamId={teamId} harms={asked.harms} />}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={isSaving} onClick={close}>
          Cancel
        </Button>
        {asked.step === 'failed' && (
          <Button leftSection={<Icon name="retry" size={16} />} onClick={retry}>
            Retry
          </Button>
        )}
        {asked.step !== 'failed' && (
          <Button
            color="red"
            disabled={asked.step === 'counting'}
            loading={isSaving}
            onKeyDown={ignoreRepeat}
            onClick={() => asked.step === 'ready' && confirm(asked.rules)}
          >
            Save the rule
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
