import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Table.layer.css';
import '@mantine/core/styles/Text.layer.css';
import '@mantine/core/styles/Title.layer.css';
import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import type { Forecast as Nights } from '@steward/contract/retention/foresight';
import { useQuery } from '@tanstack/react-query';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { type Bar, BarChart } from './bar-chart.tsx';
import { forecastQueryOptions } from './foresight.queries.ts';

const ITEMS = { one: 'item', many: 'items' };
const NIGHT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** Of the skeleton and of an empty forecast, so that nothing below moves. */
const HEIGHT = 190;

/** What the nightly runs to come will delete. */
export function Forecast({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(forecastQueryOptions(teamId));
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby="forecast">
      <Title order={2} id="forecast" fz="1rem">
        Forecast
      </Title>
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeletons rows={1} height={HEIGHT} />}
      {data !== undefined && <NightsToCome forecast={data} />}
    </Stack>
  );
}

function NightsToCome({ forecast: { records, total } }: { forecast: Nights }) {
  if (total.count === 0)
    return (
      <Paper withBorder p="md" mih={HEIGHT} style={{ display: 'grid', placeContent: 'center', textAlign: 'center' }}>
        <Text c="dimmed">Nothing that is stored now will be deleted in the next {records.length} nights.</Text>
      </Paper>
    );
  const bars = records.map(({ night, settings }): Bar => {
    const { count, bytes } = sum(Object.values(settings));
    return {
      key: night,
      value: count,
      text: `${formatNight(night)}: ${formatItems(count)}, ${formatBytes(bytes)}`,
      going: 0,
    };
  });
  const highest = Math.max(...bars.map(({ value }) => value));
  return (
    <Paper withBorder p="md">
      <Text mb="sm">
        In the next {records.length} nights, <b>{formatItems(total.count)}</b> ({formatBytes(total.bytes)}) of what is
        stored now will be deleted.
      </Text>
      <BarChart
        label="Deleted each night"
        bars={bars}
        axis={{
          top: `${formatNumber(highest)} a night`,
          start: formatNight(records[0]?.night ?? ''),
          end: formatNight(records.at(-1)?.night ?? ''),
        }}
      />
      <KindTable records={records} total={total} />
    </Paper>
  );
}

function KindTable({ records, total }: Nights) {
  const rows = RETENTION_KINDS.flatMap((kind: RetentionKind) => {
    const { count, bytes } = sum(records.flatMap(({ settings }) => settings[kind] ?? []));
    return count === 0 ? [] : [{ name: KIND_TEXT[kind].title, count, bytes }];
  });
  return (
    <details>
      <Text component="summary" c="dimmed" fz="0.8125rem" style={{ cursor: 'pointer' }}>
        Show by kind
      </Text>
      <Table aria-label="Forecast by kind" tabularNums fz="0.8125rem">
        <Table.Tbody>
          {[...rows, { name: 'Total', ...total }].map(({ name, count, bytes }) => (
            <Table.Tr key={name} fw={name === 'Total' ? 600 : 400}>
              <Table.Th scope="row" fw="inherit">
                {name}
              </Table.Th>
              <Table.Td ta="end">{formatNumber(count)}</Table.Td>
              <Table.Td ta="end">{formatBytes(bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

interface Counted {
  count: number;
  bytes: number;
}

function sum(counts: readonly (Counted | undefined)[]): Counted {
  return counts.reduce<Counted>(
    (all, one) => ({ count: all.count + (one?.count ?? 0), bytes: all.bytes + (one?.bytes ?? 0) }),
    { count: 0, bytes: 0 },
  );
}

const formatItems = (count: number) => `${formatNumber(count)} ${count === 1 ? ITEMS.one : ITEMS.many}`;
const formatNight = (night: string) => NIGHT.format(Date.parse(`${night}T00:00:00Z`));
