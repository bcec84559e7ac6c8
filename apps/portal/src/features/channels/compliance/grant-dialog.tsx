import { NativeSelect, Radio, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { COMPLIANCE_REASON_MAX, SEARCH_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { hasIntegrationRole } from '@steward/contract/users/roles';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { cleanSearch } from '#platform/search/search-text.ts';
import { useSignedInUser } from '#workspace/session/session-state.ts';
import { granting, privateChannelsQueryOptions, readersQueryOptions } from './compliance.queries.ts';
import { type GrantValues, getChannelId, HOURS, toGrantBody, toGrantErrors, validateGrant } from './grant.form.ts';

interface GrantDialogProps {
  teamId: string;
  opened: boolean;
  onClose: () => void;
}

/** The dialog is mounted anew for each opening. */
export function GrantDialog({ teamId, opened, onClose }: GrantDialogProps) {
  const user_id = useSignedInUser().id;
  const initialValues: GrantValues = { kind: 'private', channelId: '', directId: '', user_id, hours: '1', reason: '' };
  const form = useForm({ initialValues, validate: validateGrant });
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const grant = useMutation(granting);
  const save = (values: GrantValues) => {
    const sent = { params: { teamId, channelId: getChannelId(values) }, body: toGrantBody(values) };
    grant.mutate(
      { ...sent, idempotencyKey: idempotencyKeyFor(sent) },
      {
        onSuccess: () => {
          showAlert({ kind: 'success', text: 'Added Successfully' });
          onClose();
        },
        onError: (failure) => {
          form.setErrors(toGrantErrors(failure, values));
          showAlert({ kind: 'error', text: failure.message });
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

interface Option {
  value: string;
  label: string;
  note?: string;
}

interface Found {
  options: readonly Option[] | undefined;
  failure: string | undefined;
}

interface SearchSelectProps {
  label: string;
  placeholder: string;
  description?: string;
  error?: ReactNode;
  value: string;
  /** The initial choice didn't come from a search. */
  initial?: Option;
  useFound: (search: string) => Found;
  onChange: (value: string) => void;
}

/** The search starts this many milliseconds after the last keystroke. */
const TYPING_MS = 300;

function SearchSelect({ initial, useFound, value, onChange, ...field }: SearchSelectProps) {
  const [chosen, setChosen] = useState(initial);
  const [text, setText] = useState(initial?.label ?? '');
  // The field shows the label of the choice, which isn't a search text.
  const typed = chosen?.label === text ? '' : cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const { options, failure } = useFound(typed === '' ? '' : settled);
  const found = options ?? [];
  const all =
    chosen === undefined || found.some((option) => option.value === chosen.value) ? found : [chosen, ...found];
  const notes = new Map(all.map((option) => [option.value, option.note]));
  return (
    <Select
      {...field}
      required
      searchable
      allowDeselect={false}
      autoComplete="off"
      spellCheck={false}
      maxLength={SEARCH_MAX}
      // The list is rendered inside the dialog without being clipped by it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      data={all.map(({ value: id, label }) => ({ value: id, label }))}
      value={value === '' ? null : value}
      searchValue={text}
      onSearchChange={setText}
      onChange={(picked) => {
        setChosen(all.find((option) => option.value === picked));
        onChange(picked ?? '');
      }}
      // The server has already searched. A previous choice that doesn't match the new text is left out.
      filter={({ options: listed }) =>
        typed === ''
          ? listed
          : listed.filter((item) => 'value' in item && found.some((each) => each.value === item.value))
      }
      nothingFoundMessage={failure ?? (options === undefined ? 'Searching…' : 'Nothing found')}
      renderOption={({ option }) => <Line label={option.label} note={notes.get(option.value)} />}
    />
  );
}

function Line({ label, note }: { label: string; note: string | undefined }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text component="bdi" display="block" truncate>
        {label}
      </Text>
      {note !== undefined && (
        <Text component="bdi" display="block" truncate c="dimmed" fz="0.8125rem">
          {note}
        </Text>
      )}
    </div>
  );
}
