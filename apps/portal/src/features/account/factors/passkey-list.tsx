import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PASSKEY_NAME_MAX } from '@steward/contract/api/limits';
import type { Factors, Passkey } from '@steward/contract/factors/factors';
import type { RefObject } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { closeWithAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { TimeAgo } from '#platform/time/timestamp.tsx';
import { arePasskeysSupported, isAtAddress } from '#workspace/session/passkeys.ts';
import { FactorRow } from './factor-row.tsx';
import { useAddPasskey, useRemovePasskey } from './factors.queries.ts';

interface PasskeyListProps {
  factors: Factors;
  /** This element gets the focus if the control that opened a dialog has disappeared. */
  fallback: RefObject<HTMLElement | null>;
  onCodes: (codes: readonly string[]) => void;
}

export function PasskeyList({ factors, fallback, onCodes }: PasskeyListProps) {
  const { current, open, close } = useDialogState<'add' | 'remove', Passkey>('add', fallback);
  const { what, about, opened, time } = current;
  const problem = getProblem(factors.passkeys_supported);
  const finish = (codes: readonly string[]) => {
    close();
    showSuccess('Your passkey was added');
    onCodes(codes);
  };
  return (
    <>
      <FactorRow
        title="Passkeys"
        text={problem ?? 'Sign in with your fingerprint, face or screen lock, without a password'}
        {...(problem === undefined && { action: 'Add', onAction: () => open('add') })}
      />
      {factors.passkeys.map((passkey) => (
        <FactorRow
          key={passkey.id}
          title={passkey.name}
          text={<PasskeyText passkey={passkey} />}
          action="Remove"
          onAction={() => open('remove', passkey)}
        />
      ))}
      {time > 0 && what === 'add' && <PasskeyDialog key={time} opened={opened} onClose={close} onDone={finish} />}
      {about !== null && what === 'remove' && (
        <RemovePasskey key={time} passkey={about} opened={opened} onClose={close} />
      )}
    </>
  );
}

function getProblem(isServerNamed: boolean): string | undefined {
  if (!isServerNamed)
    return "Passkeys don't work with an IP address. Ask the operator to give the server a name (PUBLIC_URL).";
  if (isAtAddress()) return "Open this page by the server's name: passkeys don't work with an IP address.";
  return arePasskeysSupported() ? undefined : "This browser can't use passkeys here: they need https.";
}

function PasskeyText({ passkey: { created_at, last_used_at } }: { passkey: Passkey }) {
  return (
    <>
      Passkey · added <TimeAgo at={created_at} /> ·{' '}
      {last_used_at === null ? (
        'never used'
      ) : (
        <>
          last used <TimeAgo at={last_used_at} />
        </>
      )}
    </>
  );
}

function RemovePasskey({ passkey, opened, onClose }: { passkey: Passkey; opened: boolean; onClose: () => void }) {
  const { mutate, isPending } = useRemovePasskey();
  const remove = () =>
    mutate({ params: { passkeyId: passkey.id } }, closeWithAlert('Your passkey was removed', onClose));
  return (
    <ConfirmDialog
      opened={opened}
      title="Remove passkey"
      question="Remove this passkey?"
      detail={
        <>
          <bdi>{passkey.name}</bdi> can no longer be used to sign in here. Delete it on the device too.
        </>
      }
      confirmLabel="Remove"
      danger
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface PasskeyDialogProps extends DialogControls {
  onDone: (codes: readonly string[]) => void;
}

/** The passkey gets its name before the browser creates it. */
function PasskeyDialog({ opened, onClose, onDone }: PasskeyDialogProps) {
  const { mutate, isPending, error } = useAddPasskey();
  const form = useForm({
    initialValues: { name: suggestName(navigator.userAgent) },
    validate: { name: (value) => (value.trim() === '' ? 'Enter a name.' : null) },
  });
  const submit = form.onSubmit((values) =>
    mutate(values, { onSuccess: (added) => added !== null && onDone(added.recovery_codes) }),
  );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add a passkey"
      submitLabel="Continue"
      isDirty={false}
      isSaving={isPending}
      failure={isPending ? undefined : error?.message}
      onSubmit={submit}
    >
      <TextInput
        label="Name"
        description="So that you recognize it later. Next, your browser asks where to store the passkey."
        maxLength={PASSKEY_NAME_MAX}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
}

const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android phone'],
  [/Macintosh/, 'Mac'],
  [/Windows/, 'Windows computer'],
  [/CrOS/, 'Chromebook'],
];

function suggestName(userAgent: string): string {
  return SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'My computer';
}
