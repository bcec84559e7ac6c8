import { Alert, Button, NativeSelect, PasswordInput, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { SsoConnection } from '@steward/contract/sso/connection';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { closeWithAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { needsTest, type SsoValues, toSsoSettings, toSsoValues, validateSso } from './sso.form.ts';
import { removingSso, savingSso } from './sso.queries.ts';
import { TestSection } from './test-section.tsx';

export type SsoForm = UseFormReturnType<SsoValues>;

interface ConnectionFormProps {
  teamId: string;
  stored: SsoConnection;
}

/** The fields are in the order of the setup and are saved as a whole. */
export function ConnectionForm({ teamId, stored }: ConnectionFormProps) {
  const form: SsoForm = useForm<SsoValues>({ initialValues: toSsoValues(stored), validate: validateSso });
  const { save, isSaving, failure } = useSaving({ teamId, stored, form });
  const isUnsaved = form.isDirty();
  const leaving = useDiscardPrompt(isUnsaved);
  const isThere = stored.id !== null;
  return (
    <form noValidate className={sheet.form} aria-label="Single Sign-On" onSubmit={save}>
      <ProviderFields form={form} stored={stored} />
      {isThere && <TestSection teamId={teamId} stored={stored} isUnsaved={isUnsaved} />}
      {isThere && <PeopleFields form={form} />}
      {isThere && <SwitchFields form={form} stored={stored} />}
      <SaveBar isUnsaved={isUnsaved} isBusy={isSaving} failure={failure} onReset={form.reset} />
      {isThere && <RemoveConnection teamId={teamId} />}
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function useSaving({ teamId, stored, form }: ConnectionFormProps & { form: SsoForm }) {
  const { mutate, isPending, error } = useMutation(savingSso);
  const save = form.onSubmit(
    (values) =>
      mutate(
        { params: { teamId }, body: toSsoSettings(values, stored) },
        {
          onSuccess: (saved) => {
            const next = toSsoValues(saved);
            form.setInitialValues(next);
            form.setValues(next);
            showSuccess('Saved Successfully');
          },
          onError: ({ message }) => {
            const [, problem] = /^issuer: (.+)$/.exec(message) ?? [];
            if (problem !== undefined) form.setFieldError('issuer', `The issuer ${problem}.`);
          },
        },
      ),
    (errors) => form.getInputNode(Object.keys(errors)[0] as keyof SsoValues)?.focus(),
  );
  const isShownAbove = error !== null && !isPending && !error.message.startsWith('issuer: ');
  return { save, isSaving: isPending, failure: isShownAbove ? error.message : undefined };
}

function SwitchFields({ form, stored }: { form: SsoForm; stored: SsoConnection }) {
  const title = useId();
  const isTested = stored.tested_at !== null && !needsTest(form.values, stored);
  const { enabled, required } = form.values;
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <Title order={2} id={title} fz="1rem">
        5. Switch on
      </Title>
      <Switch
        label="Users can sign in by single sign-on"
        description={describeEnabled({ isTested, wasOn: stored.enabled, isOn: enabled })}
        disabled={!isTested && !enabled}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Switch
        label="Require single sign-on"
        description={describeRequired(stored.has_break_glass)}
        disabled={!required && (!enabled || !isTested || !stored.has_break_glass)}
        {...form.getInputProps('required', { type: 'checkbox' })}
      />
    </section>
  );
}

function describeEnabled({ isTested, wasOn, isOn }: { isTested: boolean; wasOn: boolean; isOn: boolean }): string {
  if (!isTested) return 'Complete a test sign-in with the saved settings first.';
  if (wasOn && !isOn) return 'When you save, everyone who signed in that way is signed out, also you.';
  return 'Passwords keep working beside it.';
}

function describeRequired(hasBreakGlass: boolean): string {
  return hasBreakGlass
    ? 'The team then opens only by single sign-on. The owners named under Sign-in Security can still enter with a second factor if the provider is down; all owners are emailed about it.'
    : 'First, name an owner with a second factor under Sign-in Security, so that the team stays open when the provider is down.';
}

function ProviderFields({ form, stored }: { form: SsoForm; stored: SsoConnection }) {
  const title = useId();
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  const isOther = stored.enabled && needsTest(form.values, stored);
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          2. Identity provider
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          {stored.id === null
            ? 'Enter the name and issuer and save. You then get the addresses that the provider asks for.'
            : 'Create an OpenID Connect application (confidential, web) at the provider with these addresses, and enter its client ID and secret.'}
        </Text>
      </div>
      <TextInput label="Name" description="As your users call it" {...plain} {...form.getInputProps('name')} />
      <TextInput
        label="Issuer"
        placeholder="https://id.example.com"
        description="The address that the provider calls its issuer, exactly as it shows it"
        {...plain}
        {...form.getInputProps('issuer')}
      />
      {stored.id !== null && (
        <>
          <CopyField
            showsLabel
            label="Redirect URI"
            description="Also called sign-in or callback URL"
            value={stored.redirect_uri}
          />
          <CopyField
            showsLabel
            label="Back-channel logout URI"
            description="Optional: signing out at the provider then ends sessions here"
            value={stored.logout_uri}
          />
          <TextInput label="Client ID" {...plain} {...form.getInputProps('client_id')} />
          <PasswordInput
            label="Client secret"
            description={
              stored.has_secret
                ? 'Stored encrypted. Leave it empty to keep it.'
                : 'It is stored encrypted and never shown again.'
            }
            placeholder={stored.has_secret ? '••••••••' : ''}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show secret', tabIndex: 0 }}
            {...form.getInputProps('client_secret')}
          />
        </>
      )}
      {isOther && (
        <Alert color="yellow" variant="light" p="xs" role="note">
          Saving this switches single sign-on off and ends its sessions, until you have tested it again.
        </Alert>
      )}
    </section>
  );
}

const ROLES = [
  { value: 'team_user', label: 'Team User' },
  { value: 'team_admin', label: 'Team Admin' },
];

function PeopleFields({ form }: { form: SsoForm }) {
  const title = useId();
  const list = { autosize: true, minRows: 2, maxRows: 8, spellCheck: false } as const;
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          4. Users
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          Members with an address of a verified domain are linked when they first sign in. Admins and owners link
          themselves. Single sign-on never makes anyone an owner, and never changes owners.
        </Text>
      </div>
      <Switch
        label="Add new users at their first sign-in"
        description="Otherwise, only people you have invited can sign in."
        {...form.getInputProps('jit', { type: 'checkbox' })}
      />
      <NativeSelect label="Account type of new users" data={ROLES} {...form.getInputProps('default_role')} />
      <TextInput
        label="Groups claim"
        description="Optional. Name of the claim with the user’s groups, often “groups”. It then decides the account type at each sign-in."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('group_claim')}
      />
      {form.values.group_claim.trim() !== '' && (
        <>
          <Textarea
            label="Groups of Team Admins"
            description="One per line, as the provider sends them"
            {...list}
            {...form.getInputProps('admin_groups')}
          />
          <Textarea
            label="Groups of Team Users"
            description="Users in none of these groups get the account type of new users."
            {...list}
            {...form.getInputProps('user_groups')}
          />
        </>
      )}
    </section>
  );
}

function RemoveConnection({ teamId }: { teamId: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation(removingSso);
  const close = () => setAsking(false);
  const confirm = () => remove.mutate({ params: { teamId } }, closeWithAlert('Single sign-on removed', close));
  return (
    <div>
      <Button variant="default" onClick={() => setAsking(true)}>
        Remove single sign-on
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={close}
        title="Remove single sign-on"
        question="Remove single sign-on from this team?"
        detail="Users who signed in that way are signed out and use their passwords from now on; those without one use “Forgot Password”. All links between users and the provider are removed. This can’t be undone."
        confirmLabel="Remove"
        danger
        pending={remove.isPending}
        onConfirm={confirm}
      />
    </div>
  );
}
