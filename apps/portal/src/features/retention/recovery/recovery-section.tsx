import { Group, Stack, Title } from '@mantine/core';
import type { RetentionRun } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { Recovery } from '@steward/contract/retention/recovery';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useId, useMemo, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Quiet, SmallButton, TeamTimestamp } from '#platform/page/facts.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { ResponsiveTable } from '#platform/tables/responsive-table.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { getCurrentDays, recoveryQueryOptions } from '../recovery-time.tsx';
import { useRefreshAfterRestore } from '../retention.queries.ts';
import { recoverableRunsQueryOptions } from './recovery.queries.ts';

const RecoveryDialog = lazyComponent(async () => (await import('./recovery-dialog.tsx')).RecoveryDialog);
const RestoreDialog = lazyComponent(async () => (await import('./restore-dialog.tsx')).RestoreDialog);

const NONE: readonly RetentionRun[] = [];

interface RecoverySectionProps {
  teamId: string;
  zone: string | undefined;
}

export function RecoverySection({ teamId, zone }: RecoverySectionProps) {
  const title = useId();
  const recovery = useQuery(recoveryQueryOptions(teamId));
  const runs = useQuery(recoverableRunsQueryOptions(teamId));
  const change = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'change' | 'restore', RetentionRun>('change', change);
  const isOwner = useCurrentTeam().roles.includes('team_owner');
  const columns = useMemo(() => getColumns(isOwner ? (run) => open('restore', run) : undefined), [isOwner, open]);
  const records = runs.data?.records ?? NONE;
  useRefreshAfterRestore(records);
  const props = { opened: current.opened, onClose: close };
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={title}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={title} fz="1rem">
          Recoverable
        </Title>
        <SmallButton ref={change} disabled={recovery.data === undefined} onClick={() => open('change')}>
          Change time
        </SmallButton>
      </Group>
      <Quiet>
        {recovery.error !== null && `Couldn't load this setting: ${getFailureMessage(recovery.error)}`}
        {recovery.data !== undefined && <Setting recovery={recovery.data} zone={zone} hasRuns={records.length > 0} />}
        {recovery.isPending && 'Loading…'}
      </Quiet>
      {records.length > 0 && (
        <ResponsiveTable
          label="Runs that can be restored"
          columns={columns}
          rows={records}
          rowId={({ id }) => id}
          summary={(run) => <Summary run={run} />}
        />
      )}
      <Suspense fallback={null}>
        {current.what === 'change' && current.time > 0 && recovery.data !== undefined && (
          <RecoveryDialog key={current.time} teamId={teamId} recovery={recovery.data} {...props} />
        )}
        {current.what === 'restore' && current.about !== null && (
          <RestoreDialog key={current.time} teamId={teamId} run={current.about} {...props} />
        )}
      </Suspense>
    </Stack>
  );
}

function Setting({
  recovery,
  zone,
  hasRuns,
}: {
  recovery: Recovery;
  zone: string | undefined;
  hasRuns: boolean;
}): ReactNode {
  const days = getCurrentDays(recovery);
  const { effective_at, recoverable_days } = recovery;
  return (
    <>
      {days === 0
        ? 'Runs delete for good.'
        : `What a run deletes can be restored by an owner for ${days === 1 ? '1 day' : `${days} days`}.`}
      {effective_at !== undefined && (
        <>
          {' '}
          From <TeamTimestamp at={effective_at} teamZone={zone} />:{' '}
          {recoverable_days === 1 ? '1 day' : `${recoverable_days} days`}.
        </>
      )}
      {!hasRuns && days > 0 && ' There is nothing to restore now.'}
    </>
  );
}

function getColumns(onRestore: ((run: RetentionRun) => void) | undefined): readonly PlainColumn<RetentionRun>[] {
  const columns: PlainColumn<RetentionRun>[] = [
    {
      id: 'kind',
      header: 'Kind',
      width: 'minmax(0, 2fr)',
      cell: ({ kind }) => <strong>{KIND_TEXT[kind].title}</strong>,
    },
    { id: 'run', header: 'Run', width: 'minmax(0, 2fr)', cell: ({ started_at }) => <Timestamp at={started_at} /> },
    {
      id: 'deleted',
      header: 'Deleted',
      width: 'minmax(0, 1.2fr)',
      cell: ({ deleted, bytes }) => (
        <Stack gap={2}>
          <span>{formatNumber(deleted)}</span>
          <Quiet>{formatBytes(bytes)}</Quiet>
        </Stack>
      ),
    },
    { id: 'until', header: 'Until', width: 'minmax(0, 2fr)', cell: (run) => <Until run={run} /> },
    { id: 'state', header: 'Restore', width: 'minmax(0, 2.4fr)', cell: (run) => <RestoreState run={run} /> },
  ];
  if (onRestore === undefined) return columns;
  const actions: PlainColumn<RetentionRun> = {
    id: 'actions',
    header: 'ACTIONS',
    width: '7rem',
    cell: (run) =>
      run.restore_state === 'running' ? null : (
        <SmallButton aria-label={`Restore ${KIND_TEXT[run.kind].title}`} onClick={() => onRestore(run)}>
          Restore
        </SmallButton>
      ),
  };
  return [...columns, actions];
}

function Until({ run: { recoverable_until } }: { run: RetentionRun }) {
  if (recoverable_until === null) return '–';
  return recoverable_until > Date.now() ? <Timestamp at={recoverable_until} /> : 'Kept by a legal hold';
}

function RestoreState({ run: { restore_state, restore_note, restored } }: { run: RetentionRun }) {
  if (restore_state === '') return <Quiet>Not requested</Quiet>;
  if (restore_state === 'running')
    return <StateBadge tone="active" word={`Restoring, ${formatNumber(restored)} so far`} />;
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge tone="danger" word="Failed" />
      <Quiet>{restore_note}</Quiet>
    </Stack>
  );
}

function Summary({ run: { kind, started_at, deleted } }: { run: RetentionRun }) {
  return (
    <>
      <Stack gap={0}>
        <span>{KIND_TEXT[kind].title}</span>
        <Quiet>
          <Timestamp at={started_at} />
        </Quiet>
      </Stack>
      <Quiet>{formatNumber(deleted)} deleted</Quiet>
    </>
  );
}
