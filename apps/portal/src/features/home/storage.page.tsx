import { Button, Stack, Text } from '@mantine/core';
import { getStorageSummary, type StorageSummary } from '@steward/contract/home';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { CSV_BOM, writeCsvRow } from '#platform/csv/csv.ts';
import { saveFile } from '#platform/files/save-file.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/storage')({ component: StoragePage });

function StoragePage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery({
    ...queryOptionsFor(getStorageSummary, { params: { teamId: team.id } }),
    refetchOnMount: 'always',
  });
  return (
    <Page
      title="Storage"
      description={`What ${team.display_name} stores, by kind and by channel.`}
      actions={
        data !== undefined &&
        data.total.count > 0 && (
          <Button
            variant="default"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => saveFile(writeStorageCsv(data), 'storage.csv')}
          >
            Download CSV
          </Button>
        )
      }
    >
      {data === undefined && error === null && <Skeletons rows={6} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.total.count === 0 && (
        <EmptyState icon="folder" title="Nothing is stored yet">
          Messages, files, notes and calls of the team are counted here.
        </EmptyState>
      )}
      {data !== undefined && data.total.count > 0 && <Storage storage={data} />}
    </Page>
  );
}

function Storage({ storage }: { storage: StorageSummary }) {
  const { added_30_days: added, freed_this_month: freed, channels, private: hidden, counted_at } = storage;
  const kinds = toStorageRows(storage.kinds.toSorted(byKind).map((each) => [KIND_TEXT[each.kind].title, each]));
  const largest = toStorageRows([
    ...channels.map((each): [string, typeof each] => [each.channel_name, each]),
    ['All private and direct channels', hidden],
  ]);
  const others = toStorageRows([
    ['Added in the last 30 days', added],
    ['Deleted by rules this month', freed],
  ]);
  return (
    <Stack gap="xl">
      <Section title="By kind" column="Kind" rows={kinds} total={storage.total} />
      <Section title="Largest public channels" column="Channel" rows={largest} />
      <Section title="Growth" column="Change" rows={others} />
      <Text c="dimmed" size="sm">
        Counted <Timestamp at={counted_at} />. Channels are counted with their messages and files.
      </Text>
    </Stack>
  );
}

const byKind = (one: { kind: (typeof RETENTION_KINDS)[number] }, other: typeof one) =>
  RETENTION_KINDS.indexOf(one.kind) - RETENTION_KINDS.indexOf(other.kind);

interface SectionProps {
  title: string;
  column: string;
  rows: readonly StorageRow[];
  total?: { count: number; bytes: number };
}

function Section({ title, column, rows, total }: SectionProps) {
  const columns: readonly PlainColumn<StorageRow>[] = [
    { id: 'name', header: column, width: 'minmax(0, 3fr)', cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'count', header: 'Items', width: 'minmax(0, 1fr)', cell: ({ count }) => formatNumber(count) },
    { id: 'bytes', header: 'Size', width: 'minmax(0, 1fr)', cell: ({ bytes }) => formatBytes(bytes) },
  ];
  return (
    <Stack component="section" gap="sm" aria-label={title} className="figures">
      <Text component="h2" size="lg" fw={600}>
        {title}
      </Text>
      <PlainTable
        label={title}
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        {...(total && { footer: ['Total', formatNumber(total.count), formatBytes(total.bytes)] })}
      />
    </Stack>
  );
}

interface StorageRow {
  id: string;
  name: string;
  count: number;
  bytes: number;
}

/** Names of channels can be equal, so a row is known by its place. */
function toStorageRows(amounts: readonly [name: string, amount: { count: number; bytes: number }][]): StorageRow[] {
  return amounts.map(([name, { count, bytes }], at) => ({ id: String(at), name, count, bytes }));
}

/** The figures of the screen as one table. */
function writeStorageCsv({ kinds, channels, private: hidden, ...rest }: StorageSummary): Blob {
  const rows: [part: string, name: string, amount: { count: number; bytes: number }][] = [
    ...kinds.map((each): [string, string, typeof each] => ['Kind', KIND_TEXT[each.kind].title, each]),
    ['Total', '', rest.total],
    ...channels.map((each): [string, string, typeof each] => ['Public channel', each.channel_name, each]),
    ['Private and direct channels', '', hidden],
    ['Added in the last 30 days', '', rest.added_30_days],
    ['Deleted by rules this month', '', rest.freed_this_month],
  ];
  const lines = rows.map(([part, name, { count, bytes }]) => writeCsvRow([part, name, String(count), String(bytes)]));
  return new Blob([CSV_BOM, writeCsvRow(['Part', 'Name', 'Items', 'Bytes']), ...lines], { type: 'text/csv' });
}
