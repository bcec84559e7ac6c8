import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PASSKEY_NAME_MAX } from '@steward/contract/api/limits';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useAddPasskey } from './factors.queries.ts';

interface PasskeyDialogProps {
  opened: boolean;
  onClose: () => void;
  onDone: (codes: readonly string[]) => void;
}

/** Names a passkey, then lets the browser create it. */
export function PasskeyDialog({ opened, onClose, onDone }: PasskeyDialogProps) {
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
