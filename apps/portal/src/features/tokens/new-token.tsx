import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';

interface NewTokenProps {
  token: { name: string; token: string };
  opened: boolean;
  onClose: () => void;
}

/** The only time a token can be read. A click outside the dialog must not close it. */
export function NewToken({ token: { name, token }, opened, onClose }: NewTokenProps) {
  const field = useRef<HTMLInputElement>(null);
  const [status, setStatus] = useState('');
  const copy = async () => {
    field.current?.select();
    setStatus(
      (await copyText(token))
        ? 'Copied'
        : 'Your browser blocked copying. The token is selected: copy it with the keyboard or menu.',
    );
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the token now" width={520} closable={false}>
      <Text mb="md">
        This is the token for <bdi>{name}</bdi>. Copy it now: you won’t be able to see it again.
      </Text>
      <Group gap="xs">
        <TextInput
          ref={field}
          flex="1 1 240px"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
          aria-label="Token"
          readOnly
          value={token}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          data-autofocus
          variant="default"
          leftSection={<Icon name={status === 'Copied' ? 'check' : 'copy'} size={16} />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
      </Group>
      <Text role="status" c="dimmed" size="xs" mt="xs" mih="1.25rem">
        {status}
      </Text>
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Browsers refuse on plain HTTP, and without the user's permission. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
