import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { EXCEPTION_REASON_MAX } from '@steward/contract/api/limits';
import type { InactivityException } from '@steward/contract/users/inactivity';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatDay } from '#platform/time/format.ts';
import { type Found, SearchSelect, toUserOption } from '#workspace/users/search-select.tsx';
import { userOptionsQueryOptions } from '#workspace/users/users.queries.ts';
import { EndDateField, isEndDate, toEndDate } from '../end-date-field.tsx';
import { endingException, excepting } from './inactivity.queries.ts';

interface ExceptionsSectionProps {
  teamId: string;
  exceptions: readonly InactivityException[];
}

export function ExceptionsSection({ teamId, exceptions }: ExceptionsSectionProps) {
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'add' | 'end', InactivityException>('add', add);
  const columns = useMemo(() => [...COLUMNS, toActions((exception) => open('end', exception))], [open]);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text component="h2" id={id} size="lg" fw={600}>
          Exceptions
        </Text>
        <Button ref={add} variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => open('add')}>
          Add Exception
        </Button>
      </Group>
      {exceptions.length === 0 ? (
        <Text c="dimmed">Nobody is excepted. Add members who are away for long, such as on parental leave.</Text>
      ) : (
        <PlainTable label="Exceptions" columns={columns} rows={exceptions} rowId={({ user_id }) => user_id} />
      )}
      {current.what === 'add' && current.time > 0 && (
        <AddDialog key={current.time} teamId={teamId} opened={current.opened} onClose={close} />
      )}
      {current.what === 'end' && current.about !== null && (
        <EndDialog
          key={current.time}
          teamId={teamId}
          exception={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Stack>
  );
}

const COLUMNS: readonly PlainColumn<InactivityException>[] = [
  {
    id: 'name',
    header: 'Member',
    width: 'minmax(0, 2fr)',
    cell: ({ name, email }) => (
      <>
        <Text span inherit fw={500}>
          <bdi>{name}</bdi>
        </Text>
        {name !== email && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            <bdi>{email}</bdi>
          </Text>
        )}
      </>
    ),
  },
  { id: 'reason', header: 'Reason', width: 'minmax(0, 3fr)', cell: ({ reason }) => <bdi>{reason}</bdi> },
  {
    id: 'until',
    header: 'Until',
    width: 'minmax(0, 1.2fr)',
    cell: ({ until }) => (until === null ? 'No end' : formatDay(until)),
  },
  {
    id: 'added_by',
    header: 'Added by',
    width: 'minmax(0, 1.6fr)',
    cell: ({ added_by_name }) => <bdi>{added_by_name || 'A former member'}</bdi>,
  },
];

function toActions(onEnd: (exception: InactivityException) => void): PlainColumn<InactivityException> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '7.5rem',
    cell: (exception) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`End the exception of ${exception.name}`}
        onClick={() => onEnd(exception)}
      >
        End
      </Button>
    ),
  };
}

interface DialogProps {
  teamId: string;
  opened: boolean;
  onClose: () => void;
}

/** The dialog is mounted anew for each opening. */
function AddDialog({ teamId, opened, onClose }: DialogProps) {
  const form = useForm({
    initialValues: { user_id: '', reason: '', until: '' },
    validate: {
      user_id: (id) => (id === '' ? 'Choose a member.' : null),
      reason: (reason) => (reason.trim() === '' ? 'Enter a reason.' : null),
      until: (day) => (day === '' || isEndDate(day) ? null : 'Enter a whole date.'),
    },
  });
  const add = useChangeWithKey(excepting);
  const save = form.onSubmit(({ user_id, reason, until }) => {
    add.mutate(
      { params: { teamId }, body: { user_id, reason: reason.trim(), until: toEndDate(until) } },
      {
        onSuccess: () => {
          showSuccess('Added Successfully');
          onClose();
        },
        onError: ({ id, message }) => {
          if (id === 'users.end_out_of_range') form.setFieldError('until', message);
          showFailure({ message });
        },
      },
    );
  });
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add Exception"
      submitLabel="Add Exception"
      isDirty={form.isDirty() && !add.isSuccess}
      isSaving={add.isPending}
      failure={add.error?.message}
      onSubmit={save}
    >
      <Text c="dimmed">The rule leaves this member out. A warning that they have is withdrawn.</Text>
      <MemberField teamId={teamId} {...form.getInputProps('user_id')} value={form.values.user_id} />
      <Textarea
        label="Reason"
        description="Owners see it here and in the audit log."
        required
        withAsterisk={false}
        rows={2}
        maxLength={EXCEPTION_REASON_MAX}
        {...form.getInputProps('reason')}
      />
      <EndDateField
        label="Last day"
        about="The last day of the exception, in the team’s time zone."
        {...form.getInputProps('until')}
      />
    </FormDialog>
  );
}

interface MemberFieldProps {
  teamId: string;
  value: string;
  onChange: (userId: string) => void;
}

function MemberField({ teamId, ...field }: MemberFieldProps) {
  const useFound = (search: string): Found => {
    const { data, error } = useQuery(userOptionsQueryOptions(teamId, search));
    const options = data?.records.filter(({ state }) => state !== 'invited').map(toUserOption);
    return { options, failure: error === null ? undefined : getFailureMessage(error) };
  };
  return <SearchSelect label="Member" placeholder="Search by name or email" useFound={useFound} {...field} />;
}

function EndDialog({ teamId, exception, opened, onClose }: DialogProps & { exception: InactivityException }) {
  const end = useMutation(endingException);
  const run = () =>
    end.mutate(
      { params: { teamId, userId: exception.user_id } },
      {
        onSuccess: () => {
          showSuccess('Exception ended');
          onClose();
        },
        onError: showFailure,
      },
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="End Exception"
      question="End this exception?"
      detail={
        <>
          The rule then applies to{' '}
          <strong>
            <bdi>{exception.name}</bdi>
          </strong>
          , who is warned first if they are inactive.
        </>
      }
      confirmLabel="End Exception"
      pending={end.isPending}
      onConfirm={run}
    />
  );
}
