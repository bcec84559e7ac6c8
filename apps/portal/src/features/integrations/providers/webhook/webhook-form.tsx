import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import {
  type CredentialField,
  connectIntegration,
  type IntegrationDetail,
  saveIntegration,
} from '@steward/contract/integrations';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import classes from '#platform/forms/save-form.module.css';
import { type Place, useSendCredentials } from '../../integrations.queries.ts';
import type { ConnectFormProps, UpdateDialogProps } from '../provider.ts';

/** An admin sets up the service with the address and the secret that the server generates and that are shown after saving. */
export function ConnectForm({ place, detail }: ConnectFormProps) {
  const form = useGeneratedSecret({ place, detail, isConnected: detail?.enabled ?? false });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  if (form.secret !== undefined && detail?.enabled)
    return (
      <Stack maw={640}>
        <GeneratedSecret url={detail.hook_url} secret={form.secret} header={detail.signature_header} />
        <Group>
          <Button component={Link} to="/dashboard/triggers" state={{ integrationId: place.integrationId }}>
            Set up triggers
          </Button>
        </Group>
      </Stack>
    );
  return (
    <form noValidate className={classes.form} aria-label="Credentials" aria-busy={form.isSaving} onSubmit={submit}>
      <div className={classes.fields}>
        <Fields fields={detail?.credential_form.fields ?? []} value={form.header} onChange={form.setHeader} />
      </div>
      <div className={classes.foot}>
        <FocusableButton type="submit" isDisabled={false} isBusy={form.isSaving}>
          Save
        </FocusableButton>
        <Button variant="default" component={Link} to="/dashboard/integrations" disabled={form.isSaving}>
          Cancel
        </Button>
        {form.failure !== undefined && <p className={classes.failure}>{form.failure}</p>}
      </div>
    </form>
  );
}

const TITLE = 'UPDATE INTEGRATION CREDENTIALS';

/** A change of authentication generates a new secret. */
export function UpdateDialog({ place, detail, opened, onClose }: UpdateDialogProps) {
  const form = useGeneratedSecret({ place, detail, isConnected: true });
  const isDone = form.secret === '';
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  if (form.secret)
    return (
      <Dialog opened={opened} onClose={onClose} title={TITLE} closable={false}>
        <GeneratedSecret url={detail?.hook_url ?? ''} secret={form.secret} header={detail?.signature_header ?? ''} />
        <DialogButtons>
          <Button data-autofocus onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={TITLE}
      submitLabel="Update"
      isDirty={form.isDirty}
      isSaving={form.isSaving}
      failure={form.failure}
      onSubmit={(event) => {
        event?.preventDefault();
        form.save();
      }}
    >
      <Fields fields={detail?.credential_form.fields ?? []} value={form.header} onChange={form.setHeader} />
      <Checkbox
        label="Generate a new secret"
        description="The current secret stops working immediately."
        checked={form.isRotated}
        onChange={({ currentTarget }) => form.setRotated(currentTarget.checked)}
      />
    </FormDialog>
  );
}

interface SecretOptions {
  place: Place;
  detail: IntegrationDetail | undefined;
  /** Saving replaces the credentials of a connection instead of connecting. */
  isConnected: boolean;
}

function useGeneratedSecret({ place, detail, isConnected }: SecretOptions) {
  const stored = detail?.signature_header ?? '';
  const [header, setHeader] = useState(stored);
  const [isRotated, setRotated] = useState(false);
  const [secret, setSecret] = useState<string>();
  // While the stored header is unknown, an empty field must not remove it.
  const fields = detail === undefined && header === '' ? {} : { signature_header: header.trim() };
  const sending = useSendCredentials(() =>
    isConnected
      ? call(saveIntegration, {
          params: place,
          body: { integration: place.integrationId, ...fields, rotate_secret: isRotated },
        })
      : call(connectIntegration, {
          params: place,
          body: { domain: '', username: '', authentication: 2, ...fields },
        }),
  );
  const save = () => {
    if (sending.isPending) return;
    sending.mutate(undefined, {
      onSuccess: (done) => {
        showAlert({ kind: 'success', text: isConnected ? 'Updated Successfully' : 'Settings Saved Successfully' });
        // An empty string means that the form was saved without a new secret to show.
        setSecret(done.secret ?? '');
      },
      onError: (failure) => showAlert({ kind: 'error', text: failure.message }),
    });
  };
  return {
    header,
    setHeader,
    isRotated,
    setRotated,
    secret,
    save,
    isDirty: header !== stored || isRotated,
    isSaving: sending.isPending,
    failure: sending.error?.message,
  };
}

/** The secret is shown only once, after it is created. */
function GeneratedSecret({ url, secret, header }: { url: string; secret: string; header: string }) {
  return (
    <Stack gap="md">
      <Text size="sm">Enter both values in the other service. The secret is shown only once.</Text>
      <CopyField showsLabel label="Address" value={url} />
      <CopyField
        showsLabel
        label="Secret"
        value={secret}
        description={header === '' ? 'Sent as Authorization: Bearer …' : `Signs each request in ${header}`}
      />
    </Stack>
  );
}

interface FieldsProps {
  fields: readonly CredentialField[];
  value: string;
  onChange: (value: string) => void;
}

function Fields({ fields, value, onChange }: FieldsProps) {
  if (fields.length === 0)
    return <Text size="sm">There's nothing to enter. Save to generate an address and a secret.</Text>;
  return fields.map(({ name, label, hint, required }) => (
    <TextInput
      key={name}
      label={label}
      description={hint}
      required={required}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ));
}
