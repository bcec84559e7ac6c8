import { Group, Stack, Text } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { DueItem } from '@steward/contract/retention/foresight';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createCsvParts } from '#platform/csv/csv.ts';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { TeamTimestamp } from '#platform/page/facts.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { formatBytes, formatDayIn } from '#platform/time/format.ts';
import { createDueItemsFetcher, type DueList, dueItemsQueryOptions } from './foresight.queries.ts';

/** The cutoff is in the team's time zone, so dates in another zone name it. */
const getColumns = (zone: string): readonly PlainColumn<DueItem>[] => [
  {
    id: 'date',
    header: 'Date',
    width: 'minmax(0, 2fr)',
    cell: ({ clock }) => <TeamTimestamp at={clock} teamZone={zone} />,
  },
  {
    id: 'channel',
    header: 'Channel',
    width: 'minmax(0, 2fr)',
    cell: ({ channel_id, channel_name }) => channel_name || (channel_id === '' ? '–' : 'Hidden'),
  },
  { id: 'author', header: 'Author', width: 'minmax(0, 2fr)', cell: ({ author_name }) => author_name || '–' },
  { id: 'size', header: 'Size', width: 'minmax(0, 1fr)', cell: ({ bytes }) => formatBytes(bytes) },
];

export function DueItemsList({ list, zone }: { list: DueList; zone: string }) {
  const query = useInfiniteQuery(dueItemsQueryOptions(list));
  const { many, items } = KIND_TEXT[list.setting];
  if (query.data === undefined)
    return query.error === null ? (
      <Skeletons rows={5} height={38} />
    ) : (
      <PageError failure={query.error} onRetry={() => void query.refetch()} />
    );
  if (query.data.records.length === 0) return <Text>No {many} are due for deletion.</Text>;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text c="dimmed">
          All {items} before {formatDayIn(list.cutoff, zone)}, oldest first.
        </Text>
        <Download list={list} />
      </Group>
      <PlainTable label={`Due ${many}`} columns={getColumns(zone)} rows={query.data.records} rowId={({ id }) => id} />
      <ShowMore list={query} />
    </Stack>
  );
}

function Download({ list }: { list: DueList }) {
  const { many } = KIND_TEXT[list.setting];
  return (
    <DownloadCsv
      fileName={`${productSlug()}-due-${list.setting.replaceAll('_', '-')}.csv`}
      noun={many}
      fetchPage={createDueItemsFetcher(list)}
      loadCsv={async () => createDueItemsCsv}
    />
  );
}

const COLUMNS = ['Date', 'Channel', 'Author', 'Bytes', 'Id', 'Channel id', 'Author id'];

interface DueItemsCsv {
  add(records: readonly DueItem[]): void;
  finish(): Blob;
}

/** Dates are in UTC, so that the same rows give the same file in every time zone and sort as text. */
function createDueItemsCsv(): DueItemsCsv {
  const csv = createCsvParts(COLUMNS);
  return {
    add(records) {
      for (const { clock, channel_name, author_name, bytes, id, channel_id, author_id } of records)
        csv.add([new Date(clock).toISOString(), channel_name, author_name, String(bytes), id, channel_id, author_id]);
    },
    finish: () => csv.finish(),
  };
}
