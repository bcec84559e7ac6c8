import { Button, Text } from '@mantine/core';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';

interface NewTokenProps {
  token: { name: string; token: string };
  opened: boolean;
  onClose: () => void;
}

/** The only time a token can be read. A click outside the dialog must not close it. */
export function NewToken({ token: { name, token }, opened, onClose }: NewTokenProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the token now" width={520} closable={false}>
      <Text mb="md">
        This is the token for <bdi>{name}</bdi>. Copy it now: you won’t be able to see it again.
      </Text>
      <CopyField label="Token" value={token} isFirst />
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
