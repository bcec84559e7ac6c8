import { createFileRoute } from '@tanstack/react-router';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { BillingPage, ExampleRows } from './billing-page.tsx';
import { INVOICES, type InvoiceSample, PRICE_TEXT } from './samples.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/billing/history')({ component: HistoryPage });

function HistoryPage() {
  return (
    <BillingPage title="History" lead={`One invoice per month, at ${PRICE_TEXT}.`}>
      <ExampleRows>
        <PlainTable label="Invoices, sample data" columns={COLUMNS} rows={INVOICES} rowId={({ number }) => number} />
      </ExampleRows>
    </BillingPage>
  );
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

const COLUMNS: readonly PlainColumn<InvoiceSample>[] = [
  { id: 'number', header: 'Invoice', width: 'minmax(0, 3fr)', cell: ({ number }) => number },
  {
    id: 'at',
    header: 'Date',
    width: 'minmax(0, 2fr)',
    cell: ({ at }) => <time dateTime={new Date(at).toISOString().slice(0, 10)}>{DAY.format(at)}</time>,
  },
  { id: 'users', header: 'Users', width: 'minmax(0, 1fr)', cell: ({ users }) => users },
  { id: 'amount', header: 'Amount', width: 'minmax(0, 2fr)', cell: ({ amount }) => amount },
  {
    id: 'status',
    header: 'Status',
    width: 'minmax(0, 1fr)',
    cell: ({ status }) => <StateBadge tone={status === 'Due' ? 'warning' : 'quiet'} word={status} />,
  },
];
