import { Table, Text } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Forecast } from '@steward/contract/retention/foresight';
import { formatBytes, formatNumber } from '#platform/time/format.ts';

const NIGHT = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A night of the forecast, such as “Nov 25”. */
export const formatNight = (night: string) => NIGHT.format(Date.parse(`${night}T00:00:00Z`));

interface Counted {
  count: number;
  bytes: number;
  /** Kept by legal holds, night after night. */
  held: number;
}

/** Several counts as one. */
export function sumCounts(counts: readonly (Counted | undefined)[]): Counted {
  const all = { count: 0, bytes: 0, held: 0 };
  for (const { count, bytes, held } of counts.flatMap((one) => one ?? [])) {
    all.count += count;
    all.bytes += bytes;
    all.held += held;
  }
  return all;
}

/** The forecast in figures: by kind, and by night, which are the values of its chart. */
export function ForecastTables({ records, total }: Forecast) {
  const kinds = RETENTION_KINDS.map((kind) => {
    const { count, bytes } = sumCounts(records.map(({ settings }) => settings[kind]));
    // A hold keeps the same items night after night.
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
