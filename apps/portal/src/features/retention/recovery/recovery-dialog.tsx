import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { RECOVERABLE_DAYS_MAX } from '@steward/contract/api/limits';
import { type Recovery, saveRecovery } from '@steward/contract/retention/recovery';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { getCurrentDays } from '../recovery-time.tsx';
import { savingRecovery } from './recovery.queries.ts';

interface RecoveryDialogProps extends DialogControls {
  teamId: string;
  recovery: Recovery;
}

const toBody = ({ days }: { days: string }) => ({ recoverable_days: days.trim() === '' ? -1 : Number(days) });

function validate(values: { days: string }) {
  const isValid = saveRecovery.body?.safeParse(toBody(values)).success ?? false;
  return isValid ? {} : { days: `Enter a whole number from 0 to ${RECOVERABLE_DAYS_MAX}.` };
}

/** The dialog is mounted anew for each opening. */
export function RecoveryDialog({ teamId, recovery, opened, onClose }: RecoveryDialogProps) {
  const form = useForm({ initialValues: { days: String(recovery.recoverable_days) }, validate });
  const save = useChangeWithKey(savingRecovery);
  const isLower =
    Object.keys(validate(form.values)).length === 0 && Number(form.values.days) < getCurrentDays(recovery);
  const send = (values: { days: string }) => {
    save.mutate(
      { params: { teamId }, body: toBody(values) },
      {
        onSuccess: () => {
          showSuccess('Saved Successfully');
          onClose();
        },
        onError: showFailure,
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Time to restore"
      submitLabel="Save"
      isDirty={form.isDirty() && !save.isSuccess}
      isSaving={save.isPending}
      failure={save.error?.message}
      onSubmit={form.onSubmit(send, () => form.getInputNode('days')?.focus())}
    >
      <Text c="dimmed">
        What a retention run deletes is kept in an encrypted archive that no one can read, and can be restored by an
        owner. With 0, it is deleted at once.
      </Text>
      <TextInput
        label="Days"
        description={`0 to ${RECOVERABLE_DAYS_MAX}`}
        required
        data-autofocus
        inputMode="numeric"
        autoComplete="off"
        {...form.getInputProps('days')}
      />
      <Text c="dimmed" role="status" mih="1.5rem">
        {isLower && 'A shorter time takes effect in 24 hours. Earlier runs keep theirs.'}
      </Text>
    </FormDialog>
  );
}
