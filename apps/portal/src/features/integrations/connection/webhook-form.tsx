import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CredentialField, IntegrationDetail } from '@steward/contract/integrations';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '#platform/forms/save-form.module.css';
import type { Place } from '../integrations.queries.ts';
import { GeneratedSecret } from './generated-secret.tsx';
import { useGeneratedSecret } from './use-generated-secret.ts';

interface WebhookFormProps {
  place: Place;
  detail: IntegrationDetail | undefined;
}

/** Connects a service that an admin sets up: the server generates an address and a secret, which are shown after saving. */
export function WebhookForm({ place, detail }: WebhookFormProps) {
  const form = useGeneratedSecret(place, detail);
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

interface FieldsProps {
  fields: readonly CredentialField[];
  value: string;
  onChange: (value: string) => void;
}

/** The fields as the provider describes them. */
export function Fields({ fields, value, onChange }: FieldsProps) {
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
