import { Button, Group, Text } from '@mantine/core';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { saveFile } from '#platform/files/save-file.ts';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import classes from './factors.module.css';

interface RecoveryCodesDialogProps {
  codes: readonly string[];
  opened: boolean;
  onClose: () => void;
}

/** New recovery codes. They are never shown again, so only its button closes the dialog. */
export function RecoveryCodesDialog({ codes, opened, onClose }: RecoveryCodesDialogProps) {
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => showAlert({ kind: 'success', text: 'Recovery codes copied' }),
      () => showAlert({ kind: 'error', text: "Couldn't copy the recovery codes" }),
    );
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Save your recovery codes"
      closable={false}
      width={480}
      returnFocus={false}
    >
      <Text>
        If you lose your second factor, each of these codes signs you in once. Keep them in a safe place, such as a
        password manager. They won't be shown again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap={8}>
        <Button variant="default" leftSection={<Icon name="copy" size={16} />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => download(codes)}>
          Download
        </Button>
      </Group>
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          I've saved them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function download(codes: readonly string[]): void {
  const lines = [`Recovery codes for ${productName()} at ${location.origin}`, 'Each works once.', '', ...codes, ''];
  saveFile(new Blob([lines.join('\n')], { type: 'text/plain' }), 'recovery-codes.txt');
}
