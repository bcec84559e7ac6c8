import { Button, Group, MultiSelect, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { HOLD_TEXT_MAX } from '@steward/contract/api/limits';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Hold } from '@steward/contract/retention/holds';
import { fullName } from '@steward/contract/users/names';
import { useQuery } from '@tanstack/react-query';
import type { Failure } from '#platform/api/failure.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { type FoundChoices, SearchMany, toFound } from '#platform/forms/search-many.tsx';
import { formatCount } from '#platform/time/format.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { userOptionsQueryOptions } from '#workspace/users/users.queries.ts';
import { ConnectedFields } from './connected-fields.tsx';
import {
  type HoldValues,
  isLimitedToChannels,
  isLimitedToUsers,
  isWholeTeam,
  toChangeBody,
  toHoldBody,
  toHoldErrors,
  toHoldValues,
  validateHold,
} from './hold.form.ts';
import { describeScope } from './hold-text.ts';
import { addingHold, channelOptionsQueryOptions, savingHold } from './holds.queries.ts';

interface HoldDialogProps extends DialogControls {
  /** Without a hold, the dialog creates a new one. */
  hold?: Hold | undefined;
}

/** The dialog is mounted anew for each opening. */
export function HoldDialog({ hold, opened, onClose }: HoldDialogProps) {
  const { id: teamId, display_name: team } = useCurrentTeam();
  const form = useForm<HoldValues>({
    initialValues: toHoldValues(hold),
    validate: (values) => validateHold(values, { hold, team }),
  });
  const add = useChangeWithKey(addingHold);
  const change = useChangeWithKey(savingHold);
  const ended = {
    onSuccess: (saved: Hold) => {
      showSuccess(hold === undefined ? 'Added Successfully' : 'Saved Successfully');
      if (saved.begun === 0) onClose();
    },
    onError: ({ message }: Failure) => {
      form.setErrors(toHoldErrors(message));
      showFailure({ message });
    },
  };
  const save = (values: HoldValues) => {
    if (hold === undefined) add.mutate({ params: { teamId }, body: toHoldBody(values) }, ended);
    else change.mutate({ params: { teamId, holdId: hold.id }, body: toChangeBody(values, hold) }, ended);
  };
  const { isPending, isSuccess, error, data } = hold === undefined ? add : change;
  if (data !== undefined && data.begun > 0) return <BegunNotice begun={data.begun} opened={opened} onClose={onClose} />;
  const isEnding = hold !== undefined && hold.release_at !== null;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={hold === undefined ? 'Create Legal Hold' : 'Edit Legal Hold'}
      submitLabel={hold === undefined ? 'Create Hold' : isEnding ? 'Save and Keep' : 'Save'}
      isDirty={form.isDirty() && !isSuccess}
      isSaving={isPending}
      failure={error?.message}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <HoldFields form={form} hold={hold} />
    </FormDialog>
  );
}

interface BegunNoticeProps extends DialogControls {
  begun: number;
}

/** An alert closes after 4 seconds, which is too short for something that is lost. */
function BegunNotice({ begun, opened, onClose }: BegunNoticeProps) {
  const count = formatCount(begun, { one: 'message was', many: 'messages were' });
  return (
    <Dialog opened={opened} onClose={onClose} title="The hold is in effect">
      <Text role="alert">
        {count} already being deleted on a connected server when you saved it. That deletion is finished, because a
        half-deleted message has already lost its files. The hold keeps everything else that it covers.
      </Text>
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface HoldFieldsProps {
  form: UseFormReturnType<HoldValues>;
  hold?: Hold | undefined;
}

/** A hold can only be widened, so an existing one shows the limits that can be added. */
function HoldFields({ form, hold }: HoldFieldsProps) {
  const isNew = hold === undefined;
  const hasUsers = isNew || isLimitedToUsers(hold);
  const hasChannels = isNew || isLimitedToChannels(hold);
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
      {hasUsers && <UserField form={form} isNew={isNew} />}
      {hasChannels && <ChannelField form={form} isNew={isNew} />}
      <ConnectedFields form={form} hasUsers={hasUsers} hasChannels={hasChannels} />
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
    const query = useQuery(userOptionsQueryOptions(teamId, search));
    const users = query.data?.records.filter(({ type }) => type === 2);
    const options = users?.map((user) => ({ id: user.id, name: fullName(user) || user.email }));
    return toFound(query, options);
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
    const query = useQuery(channelOptionsQueryOptions(teamId, search));
    const options = query.data?.map(({ id, display_name }) => ({ id, name: display_name }));
    return toFound(query, options);
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

/** Browsers add a calendar to the fields. A limit can't be added to a hold that was created without it. */
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
