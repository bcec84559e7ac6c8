import { Alert, Button, Stack, Text } from '@mantine/core';
import type { InactivityNight } from '@steward/contract/users/inactivity';
import { useMutation } from '@tanstack/react-query';
import { useId, useMemo, useRef } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatDay, formatNumber } from '#platform/time/format.ts';
import { confirmingNight, undoingNight } from './inactivity.queries.ts';
import { canUndo, describeUsers, toNightState } from './night-text.ts';

interface NightProps {
  teamId: string;
  night: InactivityNight;
}

/** Says why the last night did nothing, and lets an owner confirm it. */
export function LastNight({ teamId, night }: NightProps) {
  if (night.state === 'asks') return <AskingNight teamId={teamId} night={night} />;
  if (night.state !== 'paused') return null;
  return (
    <Alert color="yellow" variant="light" title="The rule is paused">
      In the night of {formatDay(night.night)}, nobody was warned or deactivated, because the source had not reported
      any activity for a day.
    </Alert>
  );
}

const plural = (count: number) => (count === 1 ? '1 member' : `${formatNumber(count)} members`);

function AskingNight({ teamId, night }: NightProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'confirm', never>('confirm', button);
  const confirm = useMutation(confirmingNight);
  const run = () =>
    confirm.mutate(
      { params: { teamId, night: night.night } },
      {
        onSuccess: () => {
          showSuccess('Night confirmed');
          close();
        },
        onError: showFailure,
      },
    );
  return (
    <Alert color="yellow" variant="light" title={`The last night would touch ${plural(night.asked.count)}`}>
      <Stack gap="sm" align="start">
        <Text inherit>
          <bdi>{describeUsers(night.asked)}</bdi>. This is more than 10 % of {formatNumber(night.members)} members, so
          nobody was warned or deactivated in the night of {formatDay(night.night)}. Without an answer, the next night
          asks again.
        </Text>
        <Button ref={button} variant="default" onClick={() => open('confirm')}>
          Confirm Night
        </Button>
      </Stack>
      {current.time > 0 && (
        <ConfirmDialog
          opened={current.opened}
          onClose={close}
          title="Confirm Night"
          question={`Let the rule touch ${plural(night.asked.count)} now?`}
          detail={
            <>
              <strong>
                <bdi>{describeUsers(night.asked)}</bdi>
              </strong>{' '}
              {night.asked.count === 1 ? 'is' : 'are'} warned, or deactivated if both warnings were delivered. Those who
              were active since are left out.
            </>
          }
          confirmLabel="Confirm"
          danger
          pending={confirm.isPending}
          onConfirm={run}
        />
      )}
    </Alert>
  );
}

export function NightsSection({ teamId, nights }: { teamId: string; nights: readonly InactivityNight[] }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { current, open, close } = useDialogState<'undo', InactivityNight>('undo', heading);
  const columns = useMemo(() => [...COLUMNS, toActions((night) => open('undo', night))], [open]);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Text component="h2" id={id} ref={heading} tabIndex={-1} size="lg" fw={600}>
        Last nights
      </Text>
      {nights.length === 0 ? (
        <Text c="dimmed">The rule has not had a night yet. Nights begin at 02:00 in the team’s time zone.</Text>
      ) : (
        <PlainTable label="Last nights" columns={columns} rows={nights} rowId={({ night }) => night} />
      )}
      {current.about !== null && (
        <UndoDialog key={current.time} teamId={teamId} night={current.about} opened={current.opened} onClose={close} />
      )}
    </Stack>
  );
}

const COLUMNS: readonly PlainColumn<InactivityNight>[] = [
  { id: 'night', header: 'Night', width: 'minmax(0, 1.2fr)', cell: ({ night }) => formatDay(night) },
  {
    id: 'warned',
    header: 'Warned',
    width: 'minmax(0, 2fr)',
    cell: ({ warned }) => <bdi>{describeUsers(warned)}</bdi>,
  },
  {
    id: 'reminded',
    header: 'Warned again',
    width: 'minmax(0, 2fr)',
    cell: ({ reminded }) => <bdi>{describeUsers(reminded)}</bdi>,
  },
  {
    id: 'deactivated',
    header: 'Deactivated',
    width: 'minmax(0, 2fr)',
    cell: ({ deactivated }) => <bdi>{describeUsers(deactivated)}</bdi>,
  },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(0, 1.6fr)',
    cell: (night) => (
      <>
        <StateBadge {...toNightState(night)} />
        {describeWho(night) !== '' && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            <bdi>{describeWho(night)}</bdi>
          </Text>
        )}
      </>
    ),
  },
];

function describeWho({ undone_by_name, confirmed_by_name }: InactivityNight): string {
  if (undone_by_name !== '') return `By ${undone_by_name}`;
  return confirmed_by_name === '' ? '' : `Confirmed by ${confirmed_by_name}`;
}

function toActions(onUndo: (night: InactivityNight) => void): PlainColumn<InactivityNight> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '7.5rem',
    cell: (night) =>
      canUndo(night) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Undo ${formatDay(night.night)}`}
          onClick={() => onUndo(night)}
        >
          Undo
        </Button>
      ),
  };
}

function UndoDialog({ teamId, night, opened, onClose }: NightProps & { opened: boolean; onClose: () => void }) {
  const undo = useMutation(undoingNight);
  const run = () =>
    undo.mutate(
      { params: { teamId, night: night.night } },
      {
        onSuccess: ({ restored }) => {
          showSuccess(`${plural(restored)} restored`);
          onClose();
        },
        onError: showFailure,
      },
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Undo Night"
      question={`Restore ${plural(night.deactivated.count)}?`}
      detail={`Everyone whom the night of ${formatDay(night.night)} deactivated is a member again as before, except those who were changed since. They sign in again, and their inactivity counts from now.`}
      confirmLabel="Restore"
      pending={undo.isPending}
      onConfirm={run}
    />
  );
}
