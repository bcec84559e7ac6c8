import { Text } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { BillingPage, ExampleRows } from './billing-page.tsx';
import { ACTIVITY, type ActivitySample } from './samples.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/activity_log')({
  component: ActivityLogPage,
});

function ActivityLogPage() {
  return (
    <BillingPage title="Activity Log" lead="Changes to billing, newest first.">
      <ExampleRows>
        <PlainTable
          label="Billing activity, sample data"
          columns={COLUMNS}
          rows={ACTIVITY}
          rowId={({ at }) => String(at)}
        />
      </ExampleRows>
    </BillingPage>
  );
}

const COLUMNS: readonly PlainColumn<ActivitySample>[] = [
  {
    id: 'what',
    header: 'What',
    width: 'minmax(0, 3fr)',
    cell: ({ what, who }) => (
      <>
        {what}
        <Text c="dimmed" size="xs">
          {who}
        </Text>
      </>
    ),
  },
  { id: 'at', header: 'When', width: 'minmax(6.5rem, 1fr)', cell: ({ at }) => <Timestamp at={at} /> },
];
