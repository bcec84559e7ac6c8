import { Button } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { connectIntegration, type IntegrationDetail, saveIntegration } from '@steward/contract/integrations';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import type { z } from 'zod';
import { call } from '#platform/api/api.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import classes from '#platform/forms/save-form.module.css';
import { useSendCredentials } from '../integrations.queries.ts';
import { Warnings } from '../status.tsx';
import type { ConnectFormProps, UpdateDialogProps } from './provider.ts';

export type CredentialBody = Omit<z.input<NonNullable<typeof connectIntegration.body>>, 'integration'>;

export interface CredentialFieldsProps<Values extends object> {
  form: Pick<UseFormReturnType<Values>, 'values' | 'setFieldValue' | 'getInputProps'>;
}

/** The parts of these forms that differ between providers. */
export interface SignIn<Values extends object> {
  /** Name of the service. */
  service: string;
  Fields: ComponentType<CredentialFieldsProps<Values>>;
  /** The values are those of a new connection if nothing is stored, or what is couldn't be fetched. */
  getFormValues: (stored: IntegrationDetail | undefined) => Values;
  toRequestBody: (values: Values) => CredentialBody;
  validate: (values: Values) => Partial<Record<keyof Values, string>>;
  /** The errors of fields that a failure is about. */
  toErrors: (failure: { id: string; message: string }) => Partial<Record<keyof Values, string>>;
}

interface WithSignIn<Values extends object> {
  signIn: SignIn<Values>;
}

export function SignInForm<Values extends object>({
  signIn,
  place,
  detail: stored,
}: ConnectFormProps & WithSignIn<Values>) {
  const navigate = useNavigate();
  const { form, submit, isSaving, failure } = useSaveCredentials(signIn, {
    stored,
    send: (body) => call(connectIntegration, { params: place, body }),
    done: 'Settings Saved Successfully',
    next: {
      label: 'Set up triggers',
      run: () => void navigate({ to: '/dashboard/triggers', state: { integrationId: place.integrationId } }),
    },
    // The form was saved, so leaving it loses nothing.
    onSaved: (warnings) => navigate({ to: '/dashboard/integrations', state: { warnings }, ignoreBlocker: true }),
  });
  const leaving = useDiscardPrompt(form.isDirty());
  return (
    <form noValidate className={classes.form} aria-label="Credentials" aria-busy={isSaving} onSubmit={submit}>
      <Warnings warnings={stored?.warnings ?? []} />
      <div className={classes.fields}>
        <signIn.Fields form={form} />
      </div>
      <div className={classes.foot}>
        <FocusableButton type="submit" isDisabled={false} isBusy={isSaving}>
          Save
        </FocusableButton>
        <Button variant="default" component={Link} to="/dashboard/integrations" disabled={isSaving}>
          Cancel
        </Button>
        <span className={classes.note} role="status">
          {isSaving && `Verifying with ${signIn.service}. This can take a few seconds.`}
        </span>
        {failure !== undefined && <p className={classes.failure}>{failure}</p>}
      </div>
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

const TITLE = 'UPDATE INTEGRATION CREDENTIALS';

export function SignInDialog<Values extends object>({
  signIn,
  place,
  detail,
  opened,
  onClose,
}: UpdateDialogProps & WithSignIn<Values>) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { form, submit, isSaving, failure } = useSaveCredentials(signIn, {
    stored: detail,
    send: (body) => call(saveIntegration, { params: place, body: { integration: place.integrationId, ...body } }),
    done: 'Updated Successfully',
    onSaved: (found) => {
      if (found.length === 0) onClose();
      else setWarnings(found);
    },
  });
  if (warnings.length > 0) return <UpdatedDialog warnings={warnings} opened={opened} onClose={onClose} />;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={TITLE}
      submitLabel="Update"
      isDirty={form.isDirty()}
      isSaving={isSaving}
      failure={failure}
      onSubmit={submit}
    >
      <signIn.Fields form={form} />
    </FormDialog>
  );
}

/** An alert closes after 4 seconds, but manual steps stay on the screen until they have been read. */
function UpdatedDialog({
  warnings,
  opened,
  onClose,
}: {
  warnings: readonly string[];
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title={TITLE}>
      <Warnings warnings={warnings} />
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface SaveOptions {
  /** The values are undefined if they couldn't be fetched. */
  stored: IntegrationDetail | undefined;
  send: (body: CredentialBody) => ReturnType<typeof call<typeof connectIntegration>>;
  done: string;
  next?: { label: string; run: () => void };
  onSaved: (warnings: string[]) => void;
}

/** A failed save keeps the input; a successful one clears it. */
function useSaveCredentials<Values extends object>(
  { getFormValues, toRequestBody, validate, toErrors }: SignIn<Values>,
  { stored, send, done, next, onSaved }: SaveOptions,
) {
  const form = useForm<Values>({ initialValues: getFormValues(stored), validate });
  const sending = useSendCredentials(() => send(toRequestBody(form.getValues())));
  const save = () => {
    if (sending.isPending) return;
    sending.mutate(undefined, {
      onSuccess: ({ warnings }) => {
        form.reset();
        showAlert({ kind: 'success', text: done, ...(next !== undefined && { action: next }) });
        onSaved(warnings);
      },
      onError: (failure) => {
        form.setErrors(toErrors(failure));
        showAlert({ kind: 'error', text: failure.message });
      },
    });
  };
  const showFirst = (errors: object) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus();
  return {
    form,
    submit: form.onSubmit(save, showFirst),
    isSaving: sending.isPending,
    /** The error is shown until the next attempt. */
    failure: sending.error?.message,
  };
}
