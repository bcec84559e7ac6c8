import { NativeSelect, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { COMPLIANCE_REASON_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { hasIntegrationRole } from '@steward/contract/users/roles';
import { useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { privateChannelsQueryOptions, readersQueryOptions } from './compliance.queries.ts';
import { type GrantValues, HOURS } from './grant.form.ts';
import { type Found, type Option, SearchSelect } from './search-select.tsx';

interface GrantFieldsProps {
  teamId: string;
  form: UseFormReturnType<GrantValues>;
}

/** Which channel, who, for how long, and why. */
export function GrantFields({ teamId, form }: GrantFieldsProps) {
  return (
    <>
      <ChannelField teamId={teamId} form={form} />
      <UserField teamId={teamId} form={form} />
      <NativeSelect
        label="Access ends after"
        data={HOURS}
        rightSection={<Icon name="chevron" size={16} />}
        rightSectionPointerEvents="none"
        {...form.getInputProps('hours')}
      />
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
  const self = toOption(useSignedInUser());
  const useFound = (search: string): Found => {
    const { data, error } = useQuery(readersQueryOptions(teamId, search));
    const options = data?.records.filter(isReader).map(toOption);
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

function toOption(user: User): Option {
  const name = fullName(user);
  return { value: user.id, label: name, ...(name !== user.email && { note: user.email }) };
}
