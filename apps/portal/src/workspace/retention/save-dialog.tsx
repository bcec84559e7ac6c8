import { Button, Group, Loader, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';
import type { Confirmation, Impact } from './use-save-rules.ts';

interface SaveDialogProps<P> {
  confirmation: Confirmation<P>;
  children: (impacts: readonly Impact<P>[]) => ReactNode;
}

/** Shows the effect of a stricter rule before it is saved. Cancel has the focus, so that an accidental Enter does nothing. */
export function SaveDialog<P>({ confirmation, children }: SaveDialogProps<P>) {
  const { step, opened, isSaving, close, retry, confirm } = confirmation;
  return (
    <Dialog opened={opened} onClose={close} title="Save the rule" width={520} closable={!isSaving} returnFocus={false}>
      {step.name === 'counting' && (
        <Group gap={10} c="dimmed" role="status">
          <Loader size={16} aria-hidden="true" /> Counting what this rule would delete…
        </Group>
      )}
      {step.name === 'failed' && (
        <Text c="var(--danger)" role="alert">
          Couldn't count what this rule would delete: {step.reason} Nothing was saved.
        </Text>
      )}
      {step.name === 'ready' && children(step.impacts)}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={isSaving} onClick={close}>
          Cancel
        </Button>
        {step.name === 'failed' && (
          <Button leftSection={<Icon name="retry" size={16} />} onClick={retry}>
            Retry
          </Button>
        )}
        {step.name !== 'failed' && (
          <Button
            color="red"
            disabled={step.name === 'counting'}
            loading={isSaving}
            onKeyDown={ignoreRepeat}
            onClick={() => step.name === 'ready' && confirm(step.rules)}
          >
            Save the rule
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** The question of the dialog. */
export function ImpactQuestion({ count }: { count: number }) {
  return (
    <Text fw={500}>
      {count === 1
        ? 'This rule deletes more than the current one. Save it anyway?'
        : 'These rules delete more than the current ones. Save them anyway?'}
    </Text>
  );
}

/** The focus returns to the element that submitted the form, because the dialog may open later than the submit. */
export function useFocusReturn(isConfirming: boolean) {
  const opener = useRef<Element>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (wasConfirming.current && !isConfirming && opener.current instanceof HTMLElement) opener.current.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return opener;
}
