import { Button, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';
import classes from './tokens.module.css';

interface NewTokenProps {
  token: { name: string; token: string };
  opened: boolean;
  onClose: () => void;
}

/** The one moment in which a token can be read. A press beside the dialog must not end it. */
export function NewToken({ token: { name, token }, opened, onClose }: NewTokenProps) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async () => {
    field.current?.select();
    setSaid((await copied(token)) ? 'Copied' : 'Not copied: it is selected now, copy it with your keyboard or menu.');
  };
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the token now" width={520} closable={false}>
      <p className={classes.once}>
        This is the token of <bdi>{name}</bdi>. It is shown this once: when you close this, nobody can read it again.
      </p>
      <div className={classes.token}>
        <TextInput
          ref={field}
          className={classes.field ?? ''}
          classNames={{ input: classes.secret ?? '' }}
          aria-label="Token"
          readOnly
          value={token}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button
          data-autofocus
          variant="default"
          leftSection={<Icon name={said === 'Copied' ? 'check' : 'copy'} size={16} />}
          onClick={() => void copy()}
        >
          Copy
        </Button>
      </div>
      <p role="status" className={classes.said}>
        {said}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Browsers refuse on plain http, and where the person does not allow it. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
