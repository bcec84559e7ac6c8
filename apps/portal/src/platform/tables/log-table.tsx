import { Group, Text } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import type { Listed } from '#platform/api/queries.ts';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { type Column, SkeletonBar } from './data-table.tsx';
import classes from './list-layout.module.css';
import { type PlainColumn, PlainTable } from './plain-table.tsx';
import { ShowMore } from './show-more.tsx';

interface LogTableProps<Row> {
  label: string;
  /** Plural noun for the rows. */
  noun: string;
  list: UseInfiniteQueryResult<Listed<Row>>;
  columns: readonly PlainColumn<Row>[];
  /** Shown in place of a table without rows. */
  empty: ReactNode;
}

/** The newest rows of a log; a button loads older ones. */
export function LogTable<Row extends { id: string }>({ list, noun, empty, ...table }: LogTableProps<Row>) {
  const { data, error, isPlaceholderData, isFetchNextPageError, refetch } = list;
  if (data === undefined && error === null) return <Skeletons rows={3} height={64} />;
  if (data === undefined) return <PageError failure={error} onRetry={() => void refetch()} />;
  if (data.records.length === 0) return empty;
  return (
    <>
      <PlainTable {...table} rows={data.records} rowId={({ id }) => id} isStale={isPlaceholderData} />
      {isFetchNextPageError && (
        <Text c="dimmed" role="alert">
          Couldn't load older {noun}: {getFailureMessage(error)}
        </Text>
      )}
      {list.hasNextPage && (
        <Group justify="center">
          <ShowMore list={list} />
        </Group>
      )}
    </>
  );
}

/**
 * The note is below the name, or beside it in a card. Names are user input, so they are isolated from the text direction around
 * them and cut to one line.
 */
export function CellLines({ name, note }: { name: string; note: string }) {
  return (
    <span className={classes.lines}>
      <Text component="bdi" display="block" truncate title={name}>
        {name}
      </Text>
      {note !== '' && (
        <Text component="bdi" display="block" truncate c="dimmed" fz="0.8125rem" title={note}>
          {note}
        </Text>
      )}
    </span>
  );
}

export const WHEN_COLUMN: Column<{ at: number }> = {
  id: 'when',
  header: 'When',
  width: 'minmax(0, 2.6fr)',
  cell: ({ at }) => (
    <Text span display="block" truncate>
      <Timestamp at={at} />
    </Text>
  ),
  skeleton: <SkeletonBar width="9rem" />,
};
