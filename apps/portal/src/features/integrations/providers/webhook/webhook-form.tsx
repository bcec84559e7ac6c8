import {
  Anchor,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Radio,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { CREDENTIAL_MAX } from '@steward/contract/api/limits';
import { connectIntegration, type IntegrationDetail, saveIntegration } from '@steward/contract/integrations';
import type { Verification, VerificationChoice } from '@steward/contract/integrations/verification';
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
import { type IntegrationKey, useSendCredentials } from '../../integrations.queries.ts';
import type { ConnectFormProps, UpdateDialogProps } from '../provider.ts';
import { getGuideSection } from './senders.ts';
import {
  describeSecret,
  findChoice,
  getWebhookValues,
  isShown,
  isWebhookChanged,
  toWebhookBody,
  type WebhookValues,
} from './verification.form.ts';

/** An admin sets up the service with the address, and with the secret unless the service generates it. */
export function ConnectForm({ place, detail }: ConnectFormProps) {
  const form = useWebhookForm({ place, detail, isConnected: detail?.enabled ?? false });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
  };
  if (form.secret !== undefined && detail?.enabled)
    return (
      <Stack maw={640}>
        <SetUp detail={detail} secret={form.secret} />
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
        <Fields detail={detail} values={form.values} isNew onChange={form.setValues} />
        <GuideLink detail={detail} />
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

/** Another method generates a new secret, unless the service does. */
export function UpdateDialog({ place, detail, opened, onClose }: UpdateDialogProps) {
  const form = useWebhookForm({ place, detail, isConnected: true });
  const isDone = form.secret === '';
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  if (form.secret && detail)
    return (
      <Dialog opened={opened} onClose={onClose} title={TITLE} closable={false}>
        <SetUp detail={detail} secret={form.secret} />
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
      <Fields detail={detail} values={form.values} isNew={false} onChange={form.setValues} />
    </FormDialog>
  );
}

interface FormOptions {
  place: IntegrationKey;
  detail: IntegrationDetail | undefined;
  /** Saving replaces the credentials of a connection instead of connecting. */
  isConnected: boolean;
}

function useWebhookForm({ place, detail, isConnected }: FormOptions) {
  const [edited, setValues] = useState<WebhookValues>();
  const [secret, setSecret] = useState<string>();
  const stored = getWebhookValues(detail);
  const values = edited ?? stored;
  const fields = values ? toWebhookBody(values) : {};
  const sending = useSendCredentials(() =>
    isConnected
      ? call(saveIntegration, { params: place, body: { integration: place.integrationId, ...fields } })
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
    values,
    setValues,
    secret,
    save,
    isDirty: values !== undefined && isWebhookChanged(values, stored),
    isSaving: sending.isPending,
    failure: sending.error?.message,
  };
}

/** A secret that was generated is shown only once. */
function SetUp({ detail, secret }: { detail: IntegrationDetail; secret: string }) {
  const { name, hook_url, verification } = detail;
  return (
    <Stack gap="md">
      <Text size="sm">
        {secret === ''
          ? `Enter the address in ${detail.code === 'webhook' ? 'the other service' : name}.`
          : 'Enter both values in the other service. The secret is shown only once.'}{' '}
        {detail.warnings.join(' ')}
      </Text>
      <CopyField showsLabel label="Address" value={hook_url} />
      {secret !== '' && (
        <CopyField
          showsLabel
          label="Secret"
          value={secret}
          {...(verification && { description: describeSecret(verification) })}
        />
      )}
      <GuideLink detail={detail} />
    </Stack>
  );
}

function GuideLink({ detail }: { detail: IntegrationDetail | undefined }) {
  if (detail === undefined) return null;
  const name = detail.code === 'webhook' ? 'the service' : detail.name;
  return (
    <Anchor
      size="sm"
      td="underline"
      // The page opens in another tab, so that entered values stay.
      renderRoot={(props) => (
        <Link
          {...props}
          to="/guide/$page"
          params={{ page: 'incoming-webhook' }}
          hash={getGuideSection(detail.code)}
          target="_blank"
        />
      )}
    >
      What to do in {name}
    </Anchor>
  );
}

interface FieldsProps {
  detail: IntegrationDetail | undefined;
  values: WebhookValues | undefined;
  /** There is no secret yet. */
  isNew: boolean;
  onChange: (values: WebhookValues) => void;
}

function Fields({ detail, values, isNew, onChange }: FieldsProps) {
  const choices = detail?.verifications ?? [];
  const choice = values && findChoice(choices, values.verification.method);
  if (!values || !choice)
    return <Text size="sm">There's nothing to enter. Save to generate an address and a secret.</Text>;
  const { verification } = values;
  const pick = (method: string) => {
    const picked = choices.find((each) => each.verification.method === method);
    if (picked) onChange({ ...values, verification: picked.verification });
  };
  return (
    <>
      {choices.length > 1 ? (
        <Radio.Group label="How requests are verified" value={verification.method} onChange={pick}>
          <Stack gap="sm" mt="xs">
            {choices.map(({ label, hint, verification: { method } }) => (
              <Radio key={method} value={method} label={label} description={hint} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <Text size="sm">{choice.hint}</Text>
      )}
      <Settings
        choice={choice}
        values={verification}
        onChange={(part) => onChange({ ...values, verification: { ...verification, ...part } })}
      />
      <SecretFields choice={choice} values={values} isNew={isNew} onChange={onChange} />
    </>
  );
}

interface SettingsProps {
  choice: VerificationChoice;
  values: Verification;
  onChange: (part: Partial<Verification>) => void;
}

const SEPARATORS = [
  { value: '.', label: 'A dot' },
  { value: ':', label: 'A colon' },
  { value: '', label: 'Nothing' },
];

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false };

const TEXT_FIELDS = [
  { name: 'header', label: 'Header', description: 'It carries the secret or the signature, such as X-Signature-256.' },
  { name: 'prefix', label: 'Prefix', description: 'Text that may precede the signature, such as sha256=.' },
  {
    name: 'timestamp_header',
    label: 'Timestamp header',
    description: 'It carries the time, if the service signs the time before the body. Old requests are then refused.',
  },
] as const;

function Settings({ choice, values, onChange }: SettingsProps) {
  const shows = (field: keyof Verification) => isShown(field, choice, values);
  return (
    <>
      {TEXT_FIELDS.filter(({ name }) => shows(name)).map(({ name, label, description }) => (
        <TextInput
          {...PLAIN}
          key={name}
          label={label}
          description={description}
          required={name === 'header'}
          value={values[name]}
          onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
        />
      ))}
      {shows('separator') && (
        <NativeSelect
          label="Between the time and the body"
          data={SEPARATORS}
          value={values.separator}
          onChange={({ currentTarget }) => onChange({ separator: currentTarget.value as Verification['separator'] })}
        />
      )}
      {shows('tolerance') && (
        <NumberInput
          label="Tolerance in seconds"
          description="How far the signed time may differ from the time of the server: 10 to 3,600."
          min={10}
          max={3_600}
          allowDecimal={false}
          value={values.tolerance}
          onChange={(tolerance) => onChange({ tolerance: Number(tolerance) })}
        />
      )}
    </>
  );
}

function SecretFields({
  choice: { secret_from },
  values,
  isNew,
  onChange,
}: Required<Omit<FieldsProps, 'detail'>> & {
  choice: VerificationChoice;
  values: WebhookValues;
}) {
  const without =
    secret_from === 'sender'
      ? 'If the service needs the address first, save without it and enter it later.'
      : 'If it is empty, one is generated.';
  return (
    <>
      {secret_from !== 'server' && (
        <PasswordInput
          {...PLAIN}
          label="Secret"
          description={`The secret that the service shows. ${isNew ? without : 'If it is empty, the current one is kept.'}`}
          maxLength={CREDENTIAL_MAX}
          visibilityToggleButtonProps={{ 'aria-label': 'Show secret', tabIndex: 0 }}
          value={values.secret}
          onChange={({ currentTarget }) => onChange({ ...values, secret: currentTarget.value })}
        />
      )}
      {!isNew && secret_from !== 'sender' && (
        <Checkbox
          label="Generate a new secret"
          description="The current secret stops working immediately."
          checked={values.isRotated}
          disabled={values.secret.trim() !== ''}
          onChange={({ currentTarget }) => onChange({ ...values, isRotated: currentTarget.checked })}
        />
      )}
    </>
  );
}
