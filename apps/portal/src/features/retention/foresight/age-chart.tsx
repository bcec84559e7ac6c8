import { Table, Text } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { SmallButton } from '#platform/page/facts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatCount, formatNumber } from '#platform/time/format.ts';
import classes from './bar-chart.module.css';
import { type Bar, BarChart, type Line } from './bar-chart.tsx';
import { agesQueryOptions } from './foresight.queries.ts';
import { type ChartMonth, fillMonths, formatMonth, getPosition, toMonth } from './months.ts';

/** The height includes the line below the chart and is in pixels. */
const AGES_HEIGHT = 208;

interface AgeChartProps {
  teamId: string;
  kind: RetentionKind;
  clock: 'own' | 'marked';
  zone: string;
  /** The cutoff of a rule is null if it deletes nothing. */
  cutoff: number | null;
  editedCutoff: number | null | undefined;
}

export function AgeChart({ teamId, kind, clock, ...rules }: AgeChartProps) {
  const { data, error, refetch } = useQuery(agesQueryOptions(teamId, kind, clock));
  if (data === undefined) return error === null ? <AgeSkeleton /> : <AgeError onRetry={() => void refetch()} />;
  const months = fillMonths(data.months, toMonth(Date.now(), rules.zone).month);
  return (
    <div className={classes.ages}>
      {months.length === 0 ? (
        <Text c="dimmed" fz="0.8125rem">
          The age of what is stored will be shown here.
        </Text>
      ) : (
        <>
          <Chart kind={kind} months={months} isMarked={clock === 'marked'} {...rules} />
          <AgeTable kind={kind} months={months} />
        </>
      )}
    </div>
  );
}

/** The skeleton is as high as the chart, so that nothing moves when the chart appears. */
export function AgeSkeleton() {
  return (
    <div className={classes.ages}>
      <Skeletons rows={1} height={AGES_HEIGHT} />
    </div>
  );
}

function AgeError({ onRetry }: { onRetry: () => void }) {
  return (
    <Text className={classes.ages ?? ''} c="dimmed" fz="0.8125rem" role="alert">
      Couldn't load the age of what is stored. <SmallButton onClick={onRetry}>Retry</SmallButton>
    </Text>
  );
}

type ChartProps = Pick<AgeChartProps, 'kind' | 'zone' | 'cutoff' | 'editedCutoff'> & {
  months: readonly ChartMonth[];
  isMarked: boolean;
};

function Chart({ kind, months, isMarked, zone, cutoff, editedCutoff }: ChartProps) {
  const text = KIND_TEXT[kind];
  const reach = editedCutoff === undefined ? cutoff : editedCutoff;
  const end = reach === null ? 0 : getPosition(months, reach, zone);
  const bars = months.map(({ month, count, bytes, held }, at): Bar => {
    const going = Math.max(0, Math.min(1, end - at));
    return {
      key: month,
      value: count + held,
      text: `${formatMonth(month)}: ${formatCount(count, text)}, ${formatBytes(bytes)}${held === 0 ? '' : `, and ${formatNumber(held)} held`}`,
      // Items under legal hold are the part of the bar that isn't deleted.
      going: count === 0 ? 0 : (going * count) / (count + held),
    };
  });
  const lines: Line[] = [];
  if (cutoff !== null) lines.push({ at: getPosition(months, cutoff, zone), label: 'Current cutoff', tone: 'current' });
  if (editedCutoff)
    lines.push({ at: getPosition(months, editedCutoff, zone), label: 'Cutoff if saved', tone: 'edited' });
  const highest = Math.max(...months.map(({ count, held }) => count + held));
  return (
    <BarChart
      label={isMarked ? `${text.title} by when they were marked deleted` : `${text.title} by age`}
      bars={bars}
      lines={lines}
      axis={{
        top: `${formatNumber(highest)} a month`,
        start: formatMonth(months[0]?.month ?? ''),
        end: formatMonth(months.at(-1)?.month ?? ''),
      }}
      {...(reach !== null && { goingLabel: editedCutoff === undefined ? 'Deleted by the rule' : 'Would be deleted' })}
    />
  );
}

function AgeTable({ kind, months }: { kind: RetentionKind; months: readonly ChartMonth[] }) {
  const { title, many } = KIND_TEXT[kind];
  const hasHeld = months.some(({ held }) => held > 0);
  return (
    <details>
      <Text component="summary" c="dimmed" fz="0.8125rem" style={{ cursor: 'pointer' }}>
        Show as a table
      </Text>
      <Table aria-label={`${title} by month`} tabularNums fz="0.8125rem">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Month</Table.Th>
            <Table.Th ta="end">{many.charAt(0).toUpperCase() + many.slice(1)}</Table.Th>
            <Table.Th ta="end">Size</Table.Th>
            {hasHeld && <Table.Th ta="end">Held</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {months
            .filter(({ count, held }) => count + held > 0)
            .map(({ month, count, bytes, held }) => (
              <Table.Tr key={month}>
                <Table.Td>{formatMonth(month)}</Table.Td>
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
