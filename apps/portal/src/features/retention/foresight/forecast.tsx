import { Paper, Stack, Table, Text, Title } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Forecast as Nights } from '@steward/contract/retention/foresight';
import { useQuery } from '@tanstack/react-query';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { type Bar, BarChart } from './bar-chart.tsx';
import { forecastQueryOptions } from './foresight.queries.ts';

const ITEMS = { one: 'item', many: 'items' };

/** The skeleton and an empty forecast have this height in pixels, so that nothing below moves. */
const HEIGHT = 190;

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

const NIGHT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A night is formatted like “Nov 25”. */
const formatNight = (night: string) => NIGHT.format(Date.parse(`${night}T00:00:00Z`));

interface Counted {
  count: number;
  bytes: number;
  /** Legal holds keep the same items every night, so nights must not be added up. */
  held: number;
}

function sumCounts(counts: readonly (Counted | undefined)[]): Counted {
  const all = { count: 0, bytes: 0, held: 0 };
  for (const { count, bytes, held } of counts.flatMap((one) => one ?? [])) {
    all.count += count;
    all.bytes += bytes;
    all.held += held;
  }
  return all;
}

/** The tables have the values of the chart. */
function ForecastTables({ records, total }: Nights) {
  const kinds = RETENTION_KINDS.map((kind) => {
    const { count, bytes } = sumCounts(records.map(({ settings }) => settings[kind]));
    // A hold keeps the same items every night, so only the last count matters.
    const held = records.at(-1)?.settings[kind]?.held ?? 0;
    return { name: KIND_TEXT[kind].title, count, bytes, held };
  });
  const nights = records.map(({ night, settings }) => ({
    name: formatNight(night),
    ...sumCounts(Object.values(settings)),
  }));
  return (
    <>
      <CountTable by="kind" head="Kind" rows={kinds.filter(({ count, held }) => count + held > 0)} total={total} />
      <CountTable by="night" head="Night" rows={nights.filter(({ count }) => count > 0)} total={total} />
    </>
  );
}

interface CountTableProps {
  by: 'kind' | 'night';
  head: string;
  rows: readonly (Counted & { name: string })[];
  total: Counted;
}

function CountTable({ by, head, rows, total }: CountTableProps) {
  const hasHeld = [...rows, total].some(({ held }) => held > 0);
  return (
    <details>
      <Text component="summary" c="dimmed" fz="0.8125rem" py={{ base: 12, sm: 2 }} style={{ cursor: 'pointer' }}>
        Show by {by}
      </Text>
      <Table aria-label={`Forecast by ${by}`} tabularNums fz="0.8125rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{head}</Table.Th>
            <Table.Th ta="end">Items</Table.Th>
            <Table.Th ta="end">Size</Table.Th>
            {hasHeld && <Table.Th ta="end">Held</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...rows, { name: 'Total', ...total }].map(({ name, count, bytes, held }) => (
            <Table.Tr key={name} fw={name === 'Total' ? 600 : 400}>
              <Table.Th scope="row" fw="inherit">
                {name}
              </Table.Th>
              <Table.Td ta="end">{formatNumber(count)}</Table.Td>
              <Table.Td ta="end">{formatBytes(bytes)}</Table.Td>
              {hasHeld && <Table.Td ta="end">{formatNumber(held)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}
