import { Paper, Table, Text } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { previewTimeZone, type ZonePreview } from '@steward/contract/team';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { formatMomentIn } from '#platform/time/format.ts';

/** Shows what another time zone changes before it is saved. */
export function ZoneChange({ teamId, timeZone }: { teamId: string; timeZone: string }) {
  const query = { params: { teamId }, query: { time_zone: timeZone } };
  const { data, error, refetch } = useQuery(queryOptionsFor(previewTimeZone, query));
  return (
    <Paper renderRoot={(props) => <section aria-label="What this changes" {...props} />} withBorder p={16}>
      <Text fw={600} mb={8}>
        What this changes
      </Text>
      {data !== undefined && <Effects preview={data} />}
      {data === undefined && error === null && <Skeletons rows={2} height={40} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Paper>
  );
}

function Effects({ preview: { current, next } }: { preview: ZonePreview }) {
  const kinds = [...new Set([...current.cutoffs, ...next.cutoffs].map(({ kind }) => kind))];
  const find = (of: typeof current, kind: string) => of.cutoffs.find((each) => each.kind === kind)?.at;
  return (
    <>
      <Table aria-label="Retention before and after" layout="fixed" verticalSpacing={8} horizontalSpacing={0} fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Retention</Table.Th>
            <Table.Th pr={12}>Now</Table.Th>
            <Table.Th>After saving</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Row
            label="Next nightly run"
            from={[current.next_run_at, current.time_zone]}
            to={[next.next_run_at, next.time_zone]}
          />
          {kinds.map((kind) => (
            <Row
              key={kind}
              label={`${KIND_TEXT[kind].title}: deletes what is older than`}
              from={[find(current, kind), current.time_zone]}
              to={[find(next, kind), next.time_zone]}
            />
          ))}
        </Table.Tbody>
      </Table>
      <Text c="dimmed" fz={13} mt={8}>
        {kinds.length === 0
          ? 'No retention rule deletes anything, so no content is affected.'
          : 'Rules keep their durations: a rule of 30 days keeps at least 30 days in any zone.'}{' '}
        Scheduled rules keep their times.
      </Text>
    </>
  );
}

type Moment = [at: number | undefined, timeZone: string];

function Row({ label, from, to }: { label: string; from: Moment; to: Moment }) {
  const shift = describeShift(from[0], to[0]);
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td pr={12}>{label}</Table.Td>
      <Table.Td pr={12}>{format(from)}</Table.Td>
      <Table.Td>
        {format(to)}
        {shift !== undefined && (
          <Text component="span" display="block" c="dimmed" fz={12}>
            {shift}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function format([at, timeZone]: Moment): string {
  return at === undefined ? 'Nothing' : formatMomentIn(at, timeZone);
}

const HOUR = 3_600_000;

/** “9 hours earlier”: how far a moment moves. Undefined if it stays, or if there is no moment before or after. */
function describeShift(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined || to === undefined || from === to) return undefined;
  const hours = Math.round((Math.abs(to - from) / HOUR) * 100) / 100;
  return `${hours.toLocaleString('en-US')} ${hours === 1 ? 'hour' : 'hours'} ${to < from ? 'earlier' : 'later'}`;
}
