import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { granting } from './compliance.queries.ts';
import { type GrantValues, getChannelId, toGrantBody, toGrantErrors, validateGrant } from './grant.form.ts';
import { GrantFields } from './grant-fields.tsx';

interface GrantDialogProps {
  teamId: string;
  opened: boolean;
  onClose: () => void;
}

/** Lets someone read a private or direct channel. Mounted anew for each opening. */
export function GrantDialog({ teamId, opened, onClose }: GrantDialogProps) {
  const user_id = useSignedInUser().id;
  const initialValues: GrantValues = { kind: 'private', channelId: '', directId: '', user_id, hours: '1', reason: '' };
  const form = useForm({ initialValues, validate: validateGrant });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const grant = useMutation(granting);
  const save = (values: GrantValues) => {
    const sent = { params: { teamId, channelId: getChannelId(values) }, body: toGrantBody(values) };
    grant.mutate(
      { ...sent, idempotencyKey: idempotencyKeyFor(sent) },
      {
        onSuccess: () => {
          showAlert({ kind: 'success', text: 'Added Successfully' });
          onClose();
        },
        onError: (failure) => {
          form.setErrors(toGrantErrors(failure, values));
          showAlert({ kind: 'error', text: failure.message });
        },
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Grant Access"
      submitLabel="Grant Access"
      isDirty={form.isDirty() && !grant.isSuccess}
      isSaving={grant.isPending}
      failure={grant.error?.message}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <Text c="dimmed">
        Members of the channel will see who can read it, until when and why. The access is for reading only, and
        everything that is read is recorded in the audit log.
      </Text>
      <GrantFields teamId={teamId} form={form} />
    </FormDialog>
  );
}
