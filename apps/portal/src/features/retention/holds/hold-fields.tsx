import { Group, MultiSelect, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { HOLD_TEXT_MAX } from '@steward/contract/api/limits';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Hold } from '@steward/contract/retention/holds';
import { useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { fullName } from '#workspace/people/initials.ts';
import { peopleOptionsQueryOptions } from '#workspace/people/people.queries.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { type HoldValues, isWholeTeam } from './hold.form.ts';
import { describeScope } from './hold-text.ts';
import { channelOptionsQueryOptions } from './holds.queries.ts';
import { type FoundChoices, SearchMany } from './search-many.tsx';

interface HoldFieldsProps {
  form: UseFormReturnType<HoldValues>;
  /** The hold that is widened. */
  hold?: Hold | undefined;
}

/** What a hold is called, why it is there, and what it covers. Of a hold that is widened, what can be added. */
export function HoldFields({ form, hold }: HoldFieldsProps) {
  const isNew = hold === undefined;
  return (
    <>
      <TextInput
        label="Name"
        description="Such as the name of the case."
        required
        data-autofocus
        maxLength={HOLD_TEXT_MAX}
        {...form.getInputProps('name')}
      />
      <Textarea
        label="Reason"
        description="Kept in the audit log."
        required
        rows={2}
        maxLength={HOLD_TEXT_MAX}
        {...form.getInputProps('reason')}
      />
      {hold !== undefined && (
        <Text c="dimmed">
          Covers now: {describeScope(hold).join(' · ')}. A hold can only be widened: to cover less, create another and
          release this one.
        </Text>
      )}
      {(isNew || hold.user_ids.length > 0) && <UserField form={form} isNew={isNew} />}
      {(isNew || hold.channel_ids.length > 0) && <ChannelField form={form} isNew={isNew} />}
      {(isNew || hold.settings.length > 0) && <KindField form={form} hold={hold} />}
      <DayFields form={form} hold={hold} />
      {isNew && isWholeTeam(form.values) && <WholeTeam form={form} />}
    </>
  );
}

interface ListFieldProps {
  form: UseFormReturnType<HoldValues>;
  isNew: boolean;
}

function UserField({ form, isNew }: ListFieldProps) {
  const { id: teamId } = useCurrentTeam();
  const useFound = (search: string): FoundChoices => {
    const { data, error } = useQuery(peopleOptionsQueryOptions(teamId, search));
    const people = data?.records.filter(({ type }) => type === 2);
    const options = people?.map((person) => ({ id: person.id, name: fullName(person) || person.email }));
    return { options, failure: error === null ? undefined : getFailureMessage(error) };
  };
  return (
    <SearchMany
      label={isNew ? 'Users' : 'Add users'}
      description={isNew ? 'What they created, and direct messages with them. Empty: all users.' : undefined}
      placeholder="Search by name or email"
      useFound={useFound}
      {...form.getInputProps('users')}
      value={form.values.users}
    />
  );
}

function ChannelField({ form, isNew }: ListFieldProps) {
  const { id: teamId } = useCurrentTeam();
  const useFound = (search: string): FoundChoices => {
    const { data, error } = useQuery(channelOptionsQueryOptions(teamId, search));
    const options = data?.map(({ id, display_name }) => ({ id, name: display_name }));
    return { options, failure: error === null ? undefined : getFailureMessage(error) };
  };
  return (
    <SearchMany
      label={isNew ? 'Channels' : 'Add channels'}
      description={isNew ? 'Empty: all channels, and what is in none.' : undefined}
      placeholder="Search by name"
      useFound={useFound}
      {...form.getInputProps('channels')}
      value={form.values.channels}
    />
  );
}

function KindField({ form, hold }: HoldFieldsProps) {
  const kinds = RETENTION_KINDS.filter((kind) => !hold?.settings.includes(kind));
  if (kinds.length === 0) return null;
  return (
    <MultiSelect
      label={hold === undefined ? 'Content' : 'Add content'}
      description={hold === undefined ? 'Empty: content of every kind.' : undefined}
      {...(form.values.settings.length === 0 && { placeholder: 'Choose kinds' })}
      rightSection={null}
      styles={{ inputField: { outline: 'none' } }}
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      data={kinds.map((kind) => ({ value: kind, label: KIND_TEXT[kind].title }))}
      {...form.getInputProps('settings')}
    />
  );
}

/** Browsers give the fields a calendar. A limit that a hold doesn't have can't be added to it. */
function DayFields({ form, hold }: HoldFieldsProps) {
  const isLimited = (limit: number | null | undefined) => hold === undefined || typeof limit === 'number';
  if (!isLimited(hold?.from) && !isLimited(hold?.to)) return null;
  const isNew = hold === undefined;
  const props = { type: 'date', min: '2000-01-01', max: '2999-12-31', flex: 1, miw: '10rem' } as const;
  return (
    <Group align="flex-start" gap="sm">
      {isLimited(hold?.from) && (
        <TextInput label={isNew ? 'From' : 'From an earlier day'} {...props} {...form.getInputProps('from')} />
      )}
      {isLimited(hold?.to) && (
        <TextInput label={isNew ? 'To' : 'To a later day'} {...props} {...form.getInputProps('to')} />
      )}
    </Group>
  );
}

function WholeTeam({ form }: Pick<HoldFieldsProps, 'form'>) {
  const team = useCurrentTeam();
  return (
    <TextInput
      label="Team name"
      description={
        <>
          This hold covers everything in the team. Type <bdi>{team.display_name}</bdi> to confirm.
        </>
      }
      required
      autoComplete="off"
      spellCheck={false}
      {...form.getInputProps('confirm')}
    />
  );
}
