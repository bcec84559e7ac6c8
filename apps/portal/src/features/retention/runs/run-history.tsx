import { Group, Stack, Title } from '@mantine/core';
import type { RetentionRun } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Quiet } from '#platform/page/facts.tsx';
import { PageError } from '#platform/page/page.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { ResponsiveTable, TableSkeleton } from '#platform/tables/responsive-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { formatBytes, formatDayIn, formatNumber, formatTimeSpan } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { runsQueryOptions, useRefreshAfterRun } from '../retention.queries.ts';
import { RunBadge, RunStatus } from './run-result.tsx';

const KINDS: readonly { value: RetentionKind | ''; label: string }[] = [
  { value: '', label: 'All kinds' },
  ...RETENTION_KINDS.map((kind) => ({ value: kind, label: KIND_TEXT[kind].title })),
];

/** The history is the proof of what was deleted, so it includes every run. */
export function RunHistory({ teamId, zone }: { teamId: string; zone: string | undefined }) {
  const id = useId();
  const [kind, setKind] = useState<RetentionKind | ''>('');
  const list = useInfiniteQuery(runsQueryOptions(teamId, kind === '' ? undefined : kind));
  const runs = list.data?.records;
  useRefreshAfterRun(runs);
  const columns = useMemo(() => getColumns(zone), [zone]);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Title order={2} id={id} fz="1rem">
          Run history
        </Title>
        <PickOne label="Kind" className={undefined} options={KINDS} value={kind} onPick={setKind} />
      </Group>
      {runs === undefined && list.error === null && <TableSkeleton rows={4} />}
      {runs === undefined && list.error !== null && (
        <PageError failure={list.error} onRetry={() => void list.refetch()} />
      )}
      {runs?.length === 0 && <NoRuns isFiltered={kind !== ''} />}
      {runs !== undefined && runs.length > 0 && (
        <ResponsiveTable
          label="Retention runs"
          columns={columns}
          rows={runs}
          rowId={(run) => run.id}
          isStale={list.isPlaceholderData}
          summary={(run) => <RunSummary run={run} />}
        />
      )}
      {list.isFetchNextPageError && (
        <div role="alert">
          <Quiet>Couldn't load more runs: {getFailureMessage(list.error)}</Quiet>
        </div>
      )}
      <Group justify="center">
        <ShowMore list={list} />
      </Group>
    </Stack>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="archive" title="No runs yet">
      {isFiltered
        ? 'There are no runs for this kind. Choose All kinds to see the others.'
        : 'Rules that delete content run once a night. Each run will be listed here.'}
    </EmptyState>
  );
}

/** A narrow screen has two lines per run. */
function RunSummary({ run: { kind, state, started_at, deleted } }: { run: RetentionRun }) {
  return (
    <>
      <Stack gap={0}>
        <span>{KIND_TEXT[kind].title}</span>
        <Quiet>
          <Timestamp at={started_at} />
        </Quiet>
      </Stack>
      <Group gap={8}>
        <span>{formatNumber(deleted)} deleted</span>
        {state !== 'finished' && <RunBadge state={state} />}
      </Group>
    </>
  );
}

function getColumns(zone: string | undefined): readonly PlainColumn<RetentionRun>[] {
  const column = (id: string, header: string, [width, cell]: [number, PlainColumn<RetentionRun>['cell']]) => ({
    id,
    header,
    cell,
    width: `minmax(0, ${width}fr)`,
  });
  return [
    column('kind', 'Kind', [1.9, ({ kind }) => <strong>{KIND_TEXT[kind].title}</strong>]),
    column('started', 'Started', [2.2, (run) => <StartedCell run={run} />]),
    column('cutoff', 'Deleted before', [
      1.8,
      ({ cutoff }) => (cutoff === null ? '–' : formatDayIn(cutoff, zone ?? 'UTC')),
    ]),
    column('scanned', 'Checked', [1.1, ({ scanned }) => formatNumber(scanned)]),
    column('deleted', 'Deleted', [1.2, (run) => <DeletedCell run={run} />]),
    column('failed', 'Failed', [0.8, ({ failed }) => formatNumber(failed)]),
    column('duration', 'Duration', [
      1.1,
      ({ started_at, ended_at }) => (ended_at === 0 ? '–' : formatTimeSpan(ended_at - started_at)),
    ]),
    column('state', 'Status', [2.2, (run) => <RunStatus run={run} />]),
  ];
}

function StartedCell({ run: { started_at, started_by_name } }: { run: RetentionRun }) {
  return (
    <Stack gap={2}>
      <Timestamp at={started_at} />
      <Quiet>
        <bdi>{started_by_name}</bdi>
      </Quiet>
    </Stack>
  );
}

function DeletedCell({ run: { deleted, bytes, held } }: { run: RetentionRun }) {
  return (
    <Stack gap={2}>
      <span>{formatNumber(deleted)}</span>
      {deleted > 0 && <Quiet>{formatBytes(bytes)}</Quiet>}
      {held > 0 && <Quiet>{formatNumber(held)} held</Quiet>}
    </Stack>
  );
}
