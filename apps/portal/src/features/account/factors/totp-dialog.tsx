import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { normalizeCode } from '@steward/contract/factors/typed-code';
import { useEffect, useRef } from 'react';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { QrCode } from '#platform/forms/qr-code.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { useAddTotp, useConfirmTotp } from './factors.queries.ts';

interface TotpDialogProps extends DialogControls {
  onDone: (codes: readonly string[]) => void;
}

export function TotpDialog({ opened, onClose, onDone }: TotpDialogProps) {
  const { data, error, start } = useSecret();
  return (
    <Dialog opened={opened} onClose={onClose} title="Set up an authenticator app">
      {data === undefined ? (
        <>
          {error === null ? <Skeletons rows={1} height={240} /> : <PageError failure={error} onRetry={start} />}
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </DialogButtons>
        </>
      ) : (
        <CodeStep secret={data.secret} uri={data.uri} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

/** Each opening of the dialog gets a new secret. */
function useSecret() {
  const { mutate, data, error } = useAddTotp();
  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    mutate({});
  }, [mutate]);
  return { data, error, start: () => mutate({}) };
}

type CodeStepProps = Omit<TotpDialogProps, 'opened'> & { secret: string; uri: string };

function CodeStep({ secret, uri, onClose, onDone }: CodeStepProps) {
  const { mutate, isPending } = useConfirmTotp();
  const form = useForm({
    initialValues: { token: '' },
    validate: { token: (value) => (normalizeCode(value) === '' ? 'Enter the code that the app shows.' : null) },
  });
  const submit = form.onSubmit((body) =>
    mutate(
      { body },
      {
        onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
        onError: ({ message }) => {
          form.setFieldError('token', message);
          form.getInputNode('token')?.focus();
        },
      },
    ),
  );
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        <Text>
          1. Scan this code with your app, such as Google Authenticator, 1Password or Microsoft Authenticator.
        </Text>
        <QrCode text={uri} label="QR code for your authenticator app" />
        <Secret secret={secret} />
        <TextInput
          label="2. Enter the code that the app shows"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          {...form.getInputProps('token')}
        />
      </Stack>
      <DialogButtons>
        <Button variant="default" disabled={isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Set up
        </Button>
      </DialogButtons>
    </form>
  );
}

/** The secret as text is for apps on this device and for apps that can't scan. */
function Secret({ secret }: { secret: string }) {
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => showSuccess('Key copied'),
      () => showAlert({ kind: 'error', text: "Couldn't copy the key" }),
    );
  return (
    <div>
      <Text c="dimmed" fz={13}>
        Can't scan it? Enter this key in the app:
      </Text>
      <Group gap={8} mt={4}>
        <code style={{ overflowWrap: 'anywhere' }}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <RowButton onClick={() => void copy()}>Copy key</RowButton>
      </Group>
    </div>
  );
}
