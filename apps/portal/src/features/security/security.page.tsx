import { Alert, Button, Checkbox, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { getSecurityPolicy, type SavedSecurityPolicy, saveSecurityPolicy } from '@steward/contract/security';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import classes from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import {
  readNetworks,
  type SecurityValues,
  toSecurityPolicy,
  toSecurityValues,
  validateSecurity,
} from './security.form.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/security')({
  component: SecurityPage,
});

const TITLE = 'Sign-in Security';

function SecurityPage() {
  const { id, display_name, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} name={display_name} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={['security']} />}>
      <EmptyState icon="lock" title="Only owners can change sign-in security">
        Owners decide who needs a second factor, how long sessions last, which networks the team can be opened from, and
        who can enter without single sign-on.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId, name }: { teamId: string; name: string }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(getSecurityPolicy, { params: { teamId } }));
  return (
    <Page
      title={TITLE}
      description={`What people need to open ${name}. Changes apply immediately, also to users who are signed in.`}
      actions={<HistoryLink actions={['security']} />}
    >
      {data !== undefined && <SecurityForm teamId={teamId} stored={data} />}
      {data === undefined && error === null && (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={3} height={168} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

interface SecurityFormProps {
  teamId: string;
  stored: SavedSecurityPolicy;
}

type Form = UseFormReturnType<SecurityValues>;

/** The policy is saved as a whole. */
function SecurityForm({ teamId, stored }: SecurityFormProps) {
  const form = useForm<SecurityValues>({ initialValues: toSecurityValues(stored), validate: validateSecurity });
  const { save, isSaving, failure } = useSaving(teamId, form);
  const isUnsaved = form.isDirty();
  const leaving = useDiscardPrompt(isUnsaved);
  return (
    <form noValidate className={sheet.form} aria-label="Sign-in Security" onSubmit={save}>
      <section className={sheet.fields}>
        <FactorField form={form} />
      </section>
      <section className={sheet.fields}>
        <LimitFields form={form} stored={stored} />
      </section>
      <section className={sheet.fields}>
        <NetworksField form={form} address={stored.your_address} />
      </section>
      <section className={sheet.fields}>
        <NamedOwnersField form={form} stored={stored} />
      </section>
      <SaveBar isUnsaved={isUnsaved} isBusy={isSaving} failure={failure} onReset={form.reset} />
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function FactorField({ form }: { form: Form }) {
  return (
    <Radio.Group
      label="Second factor"
      description="A code from an app, or a passkey, in addition to the password. Users without one have to set it up before they can continue. With single sign-on, your identity provider decides."
      {...form.getInputProps('require_mfa')}
    >
      <Stack gap="sm" pt={10}>
        <Radio value="none" label="Not required" />
        <Radio value="admins" label="Required for owners and admins" />
        <Radio value="everyone" label="Required for everyone" />
      </Stack>
    </Radio.Group>
  );
}

function LimitFields({ form, stored }: { form: Form; stored: SavedSecurityPolicy }) {
  const number = { inputMode: 'numeric', autoComplete: 'off', styles: { wrapper: { maxWidth: 240 } } } as const;
  return (
    <>
      <TextInput
        label="Minutes without activity"
        description="After this time without activity, users have to confirm that it’s them."
        placeholder={`Server’s limit: ${stored.server_idle_minutes}`}
        {...number}
        {...form.getInputProps('idle_minutes')}
      />
      <TextInput
        label="Hours since sign-in"
        description="After this time, users have to confirm that it’s them even if they are active."
        placeholder={`Server’s limit: ${stored.server_session_hours}`}
        {...number}
        {...form.getInputProps('session_hours')}
      />
      <Text c="dimmed" size="xs">
        No session lasts longer than the server allows: {stored.server_idle_minutes} minutes without activity,{' '}
        {stored.server_session_hours} hours in all.
      </Text>
    </>
  );
}

function NetworksField({ form, address }: { form: Form; address: string }) {
  const networks = readNetworks(form.values.networks);
  const add = () => form.setFieldValue('networks', [...networks, address].join('\n'));
  return (
    <>
      <Textarea
        label="Allowed networks"
        description="One address or network per line, such as 203.0.113.0/24. Empty allows all. Service tokens work from everywhere."
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        {...form.getInputProps('networks')}
      />
      <Text c="dimmed" size="xs">
        Your address now is {address}.{' '}
        {networks.length > 0 && !networks.includes(address) && (
          <Button variant="transparent" size="compact-xs" onClick={add}>
            Add it
          </Button>
        )}
      </Text>
    </>
  );
}

function NamedOwnersField({ form, stored }: { form: Form; stored: SavedSecurityPolicy }) {
  const { owners, requires_sso } = stored;
  const isNobodyNamed = form.values.break_glass_owners.length === 0;
  return (
    <>
      <Checkbox.Group
        label="Owners who can enter without single sign-on"
        description="When the team requires single sign-on, these owners can still open it with a second factor, or a passkey, in case the identity provider is down. All owners get an email when this list changes, and when someone enters that way."
        {...form.getInputProps('break_glass_owners')}
      >
        <Stack gap="sm" pt={10}>
          {owners.map(({ id, name, email, has_second_factor }) => (
            <Checkbox
              key={id}
              value={id}
              label={name}
              description={
                has_second_factor ? email : `${email} · has to set up a second factor first, under My account`
              }
              disabled={!has_second_factor}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      {isNobodyNamed && (
        <Alert color="yellow" variant="light" title="Nobody is named">
          {requires_sso
            ? 'If the identity provider is down, nobody can open this team. Name an owner now.'
            : 'Single sign-on can’t be required until an owner is named.'}
        </Alert>
      )}
    </>
  );
}

function useSaving(teamId: string, form: Form) {
  const options = mutationOptionsFor(saveSecurityPolicy, { refreshes: [getSecurityPolicy] });
  const { mutate, isPending, error } = useMutation(options);
  const save = form.onSubmit(
    (values) =>
      mutate(
        { params: { teamId }, body: toSecurityPolicy(values) },
        {
          onSuccess: (saved) => {
            const next = toSecurityValues(saved);
            form.setInitialValues(next);
            form.setValues(next);
            showSuccess('Saved Successfully');
          },
          onError: ({ id, message }) => {
            if (id === 'security.locks_you_out') form.setFieldError('networks', message);
          },
        },
      ),
    (errors) => form.getInputNode(Object.keys(errors)[0] as keyof SecurityValues)?.focus(),
  );
  const isShownAbove = error !== null && !isPending && error.id !== 'security.locks_you_out';
  return { save, isSaving: isPending, failure: isShownAbove ? error.message : undefined };
}
