import type { RetentionRun } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import classes from '../overview/overview.module.css';
import { overviewQueryOptions, runsQueryOptions } from '../retention.queries.ts';
import { placeOf } from '../rules/groups.ts';
import { formatBytes, formatDay, formatNumber, formatTimeSpan } from './format.ts';
import { RunBadge } from './run-badge.tsx';
import { useRunEnd } from './use-run-end.ts';

const KINDS: readonly { value: RetentionKind | ''; label: string }[] = [
  { value: '', label: 'All kinds' },
  ...RETENTION_KINDS.map((kind) => ({ value: kind, label: placeOf(kind).setting.title })),
];

/** Every run that there was, newest first: what proves that rules were kept (design §6). */
export function RunHistory({ teamId }: { teamId: string }) {
  const id = useId();
  const [kind, setKind] = useState<RetentionKind | ''>('');
  const list = useInfiniteQuery(runsQueryOptions(teamId, kind === '' ? undefined : kind));
  const runs = list.data?.records;
  useRunEnd(runs);
  const columns = useColumns(useQuery(overviewQueryOptions(teamId)).data?.time_zone);
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.title}>
          History of runs
        </h2>
        <PickOne label="Show runs over" className={classes.filter} options={KINDS} value={kind} onPick={setKind} />
      </div>
      {runs === undefined && list.error === null && <Skeletons rows={4} height={52} />}
      {runs === undefined && list.error !== null && (
        <PageError failure={list.error} onRetry={() => void list.refetch()} />
      )}
      {runs?.length === 0 && <NoRuns isFiltered={kind !== ''} />}
      {runs !== undefined && runs.length > 0 && (
        <PlainTable
          label="Retention runs"
          columns={columns}
          rows={runs}
          rowId={(run) => run.id}
          isStale={list.isPlaceholderData}
        />
      )}
      {list.isFetchNextPageError && (
        <p className={classes.note} role="alert">
          The next runs could not be loaded: {getFailureMessage(list.error)}
        </p>
      )}
      <ShowMore list={list} className={classes.more} />
    </section>
  );
}

function NoRuns({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="archive" title="No runs yet">
      {isFiltered
        ? 'Nothing has run over this kind yet. Choose all kinds to see the others.'
        : 'Every night, each rule that deletes something runs once. What it did will be listed here.'}
    </EmptyState>
  );
}

function useColumns(zone: string | undefined): readonly PlainColumn<RetentionRun>[] {
  return useMemo(
    () => [
      {
        id: 'kind',
        header: 'What',
        width: 'minmax(0, 1.9fr)',
        cell: ({ kind }) => <strong className={classes.person}>{placeOf(kind).setting.title}</strong>,
      },
      {
        id: 'started',
        header: 'Started',
        width: 'minmax(0, 2.2fr)',
        cell: ({ started_at, started_by_name }) => (
          <span className={classes.lines}>
            <Timestamp at={started_at} />
            <span className={classes.quiet}>
              <bdi>{started_by_name}</bdi>
            </span>
          </span>
        ),
      },
      {
        id: 'cutoff',
        header: 'Deleted before',
        width: 'minmax(0, 1.8fr)',
        cell: ({ cutoff }) => (cutoff === null ? '–' : formatDay(cutoff, zone ?? 'UTC')),
      },
      {
        id: 'scanned',
        header: 'Looked at',
        width: 'minmax(0, 1.1fr)',
        cell: ({ scanned }) => formatNumber(scanned),
      },
      {
        id: 'deleted',
        header: 'Deleted',
        width: 'minmax(0, 1.2fr)',
        cell: ({ deleted, bytes }) => (
          <span className={classes.pair}>
            <span>{formatNumber(deleted)}</span>
            {deleted > 0 && <span className={classes.quiet}>{formatBytes(bytes)}</span>}
          </span>
        ),
      },
      { id: 'failed', header: 'Failed', width: 'minmax(0, 0.8fr)', cell: ({ failed }) => formatNumber(failed) },
      {
        id: 'took',
        header: 'Took',
        width: 'minmax(0, 1.1fr)',
        cell: ({ started_at, ended_at }) => (ended_at === 0 ? '–' : formatTimeSpan(ended_at - started_at)),
      },
      { id: 'state', header: 'State', width: 'minmax(0, 2.2fr)', cell: (run) => <StateCell run={run} /> },
    ],
    [zone],
  );
}

function StateCell({ run: { state, note } }: { run: RetentionRun }) {
  return (
    <span className={classes.lines}>
      <RunBadge state={state} />
      {note !== '' && <span className={classes.quiet}>{note}</span>}
    </span>
  );
}
