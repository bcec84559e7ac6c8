import { NativeSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { COMPLIANCE_REASON_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { hasIntegrationRole } from '@steward/contract/users/roles';
import { useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useSignedInUser } from '#workspace/session/session-state.ts';
import { type Found, SearchSelect, toUserOption } from '#workspace/users/search-select.tsx';
import { granting, privateChannelsQueryOptions, readersQueryOptions } from './compliance.queries.ts';
import { type GrantValues, getChannelId, HOURS, toGrantBody, toGrantErrors, validateGrant } from './grant.form.ts';

interface GrantDialogProps extends DialogControls {
  teamId: string;
}

/** The dialog is mounted anew for each opening. */
export function GrantDialog({ teamId, opened, onClose }: GrantDialogProps) {
  const user_id = useSignedInUser().id;
  const initialValues: GrantValues = { kind: 'private', channelId: '', directId: '', user_id, hours: '1', reason: '' };
  const form = useForm({ initialValues, validate: validateGrant });
  const grant = useChangeWithKey(granting);
  const save = (values: GrantValues) => {
    grant.mutate(
      { params: { teamId, channelId: getChannelId(values) }, body: toGrantBody(values) },
      {
        onSuccess: () => {
          showSuccess('Added Successfully');
          onClose();
        },
        onError: (failure) => {
          form.setErrors(toGrantErrors(failure, values));
          showFailure(failure);
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

interface GrantFieldsProps {
  teamId: string;
  form: UseFormReturnType<GrantValues>;
}

function GrantFields({ teamId, form }: GrantFieldsProps) {
  return (
    <>
      <ChannelField teamId={teamId} form={form} />
      <UserField teamId={teamId} form={form} />
      <NativeSelect label="Access ends after" data={HOURS} {...form.getInputProps('hours')} />
      <Textarea
        label="Reason"
        description="Members of the channel see it."
        required
        rows={2}
        maxLength={COMPLIANCE_REASON_MAX}
        {...form.getInputProps('reason')}
      />
    </>
  );
}

function ChannelField({ teamId, form }: GrantFieldsProps) {
  const useFound = (search: string): Found => {
    const { data, error } = useQuery(privateChannelsQueryOptions(teamId, search));
    const options = data?.map(({ id, display_name }) => ({ value: id, label: display_name }));
    return { options, failure: error === null ? undefined : getFailureMessage(error) };
  };
  return (
    <Stack gap="sm">
      <Radio.Group label="Channel" {...form.getInputProps('kind')}>
        <Stack gap="xs" mt="xs">
          <Radio value="private" label="Private channel" />
          <Radio value="direct" label="Direct channel" description="By its ID, which its members can tell you." />
        </Stack>
      </Radio.Group>
      {form.values.kind === 'private' ? (
        <SearchSelect
          label="Private channel"
          placeholder="Search by name"
          useFound={useFound}
          {...form.getInputProps('channelId')}
          value={form.values.channelId}
        />
      ) : (
        <TextInput
          label="Channel ID"
          required
          maxLength={60}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('directId')}
        />
      )}
    </Stack>
  );
}

function UserField({ teamId, form }: GrantFieldsProps) {
  const self = toUserOption(useSignedInUser());
  const useFound = (search: string): Found => {
    const { data, error } = useQuery(readersQueryOptions(teamId, search));
    const options = data?.records.filter(isReader).map(toUserOption);
    return { options, failure: error === null ? undefined : getFailureMessage(error) };
  };
  return (
    <SearchSelect
      label="User"
      placeholder="Search by name or email"
      initial={self}
      useFound={useFound}
      {...form.getInputProps('user_id')}
      value={form.values.user_id}
    />
  );
}

function isReader({ roles, type }: User): boolean {
  return type === 2 && !hasIntegrationRole(roles);
}
