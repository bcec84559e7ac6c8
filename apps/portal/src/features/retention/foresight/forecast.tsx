import { Paper, Stack, Text, Title } from '@mantine/core';
import type { Forecast as Nights } from '@steward/contract/retention/foresight';
import { useQuery } from '@tanstack/react-query';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { type Bar, BarChart } from './bar-chart.tsx';
import { ForecastTables, formatNight, sumCounts } from './forecast-tables.tsx';
import { forecastQueryOptions } from './foresight.queries.ts';

const ITEMS = { one: 'item', many: 'items' };

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
    const { count, bytes } = sumCounts(Object.values(settings));
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
      <ForecastTables records={records} total={total} />
    </Paper>
  );
}

const formatItems = (count: number) => `${formatNumber(count)} ${count === 1 ? ITEMS.one : ITEMS.many}`;
