import { useForm } from '@mantine/form';
import type { Hold } from '@steward/contract/retention/holds';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { type HoldValues, toChangeBody, toHoldBody, toHoldErrors, toHoldValues, validateHold } from './hold.form.ts';
import { HoldFields } from './hold-fields.tsx';
import { addingHold, savingHold } from './holds.queries.ts';

interface HoldDialogProps {
  /** The hold that is changed; a new one without. */
  hold?: Hold | undefined;
  opened: boolean;
  onClose: () => void;
}

/** Creates a hold, or renames and widens one. Mounted anew for each opening. */
export function HoldDialog({ hold, opened, onClose }: HoldDialogProps) {
  const { id: teamId, display_name: team } = useCurrentTeam();
  const form = useForm<HoldValues>({
    initialValues: toHoldValues(hold),
    validate: (values) => validateHold(values, { hold, team }),
  });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const add = useMutation(addingHold);
  const change = useMutation(savingHold);
  const ended = {
    onSuccess: () => {
      showAlert({ kind: 'success', text: hold === undefined ? 'Added Successfully' : 'Saved Successfully' });
      onClose();
    },
    onError: ({ message }: Failure) => {
      form.setErrors(toHoldErrors(message));
      showAlert({ kind: 'error', text: message });
    },
  };
  const save = (values: HoldValues) => {
    if (hold === undefined) {
      const body = toHoldBody(values);
      add.mutate({ params: { teamId }, body, idempotencyKey: idempotencyKeyFor(body) }, ended);
    } else {
      const body = toChangeBody(values, hold);
      const sent = { params: { teamId, holdId: hold.id }, body };
      change.mutate({ ...sent, idempotencyKey: idempotencyKeyFor(sent) }, ended);
    }
  };
  const { isPending, isSuccess, error } = hold === undefined ? add : change;
  const isEnding = hold !== undefined && hold.release_at !== null;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={hold === undefined ? 'Create Legal Hold' : 'Edit Legal Hold'}
      submitLabel={hold === undefined ? 'Create Hold' : isEnding ? 'Save and Keep' : 'Save'}
      isDirty={form.isDirty() && !isSuccess}
      isSaving={isPending}
      failure={error?.message}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <HoldFields form={form} hold={hold} />
    </FormDialog>
  );
}
