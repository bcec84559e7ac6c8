import { SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { EMAIL_MAX, ENTRY_NAME_MAX, ENTRY_NUMBER_MAX } from '@steward/contract/api/limits';
import type { Entry } from '@steward/contract/directory';
import { EMAIL_ENDINGS, type EmailEndings } from '@steward/contract/directory/fields';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { type EntryValues, getFormValues, toEntryErrors, validateEntry } from './directory.form.ts';
import { isGone, useSaveEntry } from './entry.queries.ts';

interface EntryDialogProps extends DialogControls {
  /** Without an entry, the dialog adds a new one. */
  entry: Entry | null;
}

/** The server writes its setting into the page. */
function getEmailEndings(): EmailEndings {
  const given = document.querySelector<HTMLMetaElement>('meta[name="directory-email-endings"]')?.content;
  return EMAIL_ENDINGS.find((endings) => endings === given) ?? 'short';
}

const validate = (values: EntryValues) => validateEntry(values, getEmailEndings());

/** The dialog is mounted anew for each opening, so that it starts empty. */
export function EntryDialog({ entry, opened, onClose }: EntryDialogProps) {
  const form = useForm<EntryValues>({ initialValues: getFormValues(entry), validate });
  const { save, isSaving, failure } = useSaving({ entry, onSaved: onClose, onErrors: form.setErrors });
  const showFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] as keyof EntryValues)?.focus();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={entry === null ? 'Add Entry' : 'Edit Entry'}
      submitLabel={entry === null ? 'Add Entry' : 'Save'}
      isDirty={form.isDirty()}
      isIdle={entry !== null && !form.isDirty()}
      isSaving={isSaving}
      failure={failure}
      onSubmit={form.onSubmit(save, showFirst)}
    >
      <Fields form={form} />
    </FormDialog>
  );
}

interface Saving {
  entry: Entry | null;
  onSaved: () => void;
  onErrors: (errors: ReturnType<typeof toEntryErrors>) => void;
}

/** When saving fails, the input stays and fields that the server names show its message. */
function useSaving({ entry, onSaved, onErrors }: Saving) {
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const saving = useSaveEntry(entry);
  const reason = saving.error === null ? undefined : getText(saving.error);
  const save = (form: EntryValues) =>
    saving.mutate(
      { form, idempotencyKey: idempotencyKeyFor(form) },
      {
        onSuccess: () => {
          showSuccess(entry === null ? 'Added Successfully' : 'Saved Successfully');
          onSaved();
        },
        onError: (failure) => {
          onErrors(toEntryErrors(failure.message));
          showAlert({ kind: 'error', text: getText(failure) });
        },
      },
    );
  return { save, isSaving: saving.isPending, failure: reason };
}

function getText(failure: Parameters<typeof isGone>[0]): string {
  if (!isGone(failure)) return failure.message;
  return 'This entry was deleted by someone else. To keep it, copy what you need and add it again.';
}

function Fields({ form }: { form: Pick<UseFormReturnType<EntryValues>, 'getInputProps'> }) {
  const text = { autoComplete: 'off', spellCheck: false };
  return (
    <>
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={ENTRY_NAME_MAX}
        {...text}
        {...form.getInputProps('name')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing={20}>
        <TextInput
          label="Phone Number"
          maxLength={ENTRY_NUMBER_MAX}
          {...text}
          {...form.getInputProps('phone_number')}
        />
        <TextInput label="SMS Number" maxLength={ENTRY_NUMBER_MAX} {...text} {...form.getInputProps('sms')} />
      </SimpleGrid>
      {/* The field isn't of type email: browsers rewrite such input, and our messages are more precise. */}
      <TextInput
        label="Email Address"
        inputMode="email"
        autoCapitalize="none"
        maxLength={EMAIL_MAX}
        {...text}
        {...form.getInputProps('email')}
      />
    </>
  );
}
