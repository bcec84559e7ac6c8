import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import { Radio, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { EMAIL_MAX, NAME_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { useSaveUser } from '../users.queries.ts';
import classes from './user-dialog.module.css';
import { fieldErrors, getFormValues, toRequestBody, type UserValues, validateUser } from './users.form.ts';

interface UserDialogProps {
  /** Who is edited; `null` adds somebody. */
  person: User | null;
  opened: boolean;
  onClose: () => void;
}

/** Adds or edits a person. Rendered anew for each opening, so that nothing of the last one is left in it. */
export function UserDialog({ person, opened, onClose }: UserDialogProps) {
  const form = useForm<UserValues>({ initialValues: getFormValues(person), validate: validateUser });
  const { save, isSaving, failure } = useSaving({ person, onSaved: onClose, onErrors: form.setErrors });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={person === null ? 'Add User' : 'Edit User'}
      submitLabel={person === null ? 'Add User' : 'Save'}
      isDirty={form.isDirty()}
      isIdle={person !== null && !form.isDirty()}
      isSaving={isSaving}
      failure={failure?.message}
      onSubmit={form.onSubmit(save)}
    >
      <Fields form={form} person={person} />
    </FormDialog>
  );
}

interface Saving {
  person: User | null;
  onSaved: () => void;
  onErrors: (errors: ReturnType<typeof fieldErrors>) => void;
}

/** What was typed stays when saving fails, and the fields that the server named say why. */
function useSaving({ person, onSaved, onErrors }: Saving) {
  const { id: teamId } = useCurrentTeam();
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const saving = useSaveUser(person);
  const save = (values: UserValues) => {
    const body = toRequestBody(values);
    const change = { params: { teamId }, body, idempotencyKey: idempotencyKeyFor(body) };
    saving.mutate(change, {
      onSuccess: () => {
        showAlert({ kind: 'success', text: person === null ? 'Added Successfully' : 'Saved Successfully' });
        onSaved();
      },
      onError: (failure) => {
        onErrors(fieldErrors(failure.message));
        showAlert({ kind: 'error', text: failure.message });
      },
    });
  };
  return { save, isSaving: saving.isPending, failure: saving.error };
}

type UserFormApi = Pick<UseFormReturnType<UserValues>, 'values' | 'isDirty' | 'getInputProps'>;

function Fields({ form, person }: { form: UserFormApi; person: User | null }) {
  const team = useCurrentTeam();
  const me = useSignedInUser();
  const losesAccess = person?.id === me.id && form.values.account_type === '2' && form.isDirty('account_type');
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={EMAIL_MAX}
        autoComplete="off"
        readOnly={person !== null}
        {...(person !== null && { className: classes.locked ?? '' })}
        data-autofocus={person === null || undefined}
        description={person === null ? 'An invitation is sent to this address.' : 'The email cannot be changed.'}
        {...form.getInputProps('email')}
      />
      <Radio.Group label="Account Type" required {...form.getInputProps('account_type')}>
        <div className={classes.types}>
          <Radio value="2" label="Team User" description={`Uses the workspace of ${team.display_name}.`} />
          <Radio value="1" label="Team Admin" description="Also manages the team, here in the admin portal." />
        </div>
      </Radio.Group>
      {losesAccess && (
        <p className={classes.warning} role="alert">
          This is you: as a Team User you lose access to the admin portal of this team at once.
        </p>
      )}
      <div className={classes.names}>
        <TextInput
          label="First name"
          maxLength={NAME_MAX}
          autoComplete="off"
          data-autofocus={person !== null || undefined}
          {...form.getInputProps('first_name')}
        />
        <TextInput label="Last name" maxLength={NAME_MAX} autoComplete="off" {...form.getInputProps('last_name')} />
      </div>
    </>
  );
}
