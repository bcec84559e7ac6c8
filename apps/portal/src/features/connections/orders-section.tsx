import { Group, Stack, Title } from '@mantine/core';
import type { Order } from '@steward/contract/connections';
import { KeptReason } from '@steward/contract/connections/fields';
import { useId, useMemo, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Quiet, SmallButton } from '#platform/page/facts.tsx';
import { PageError } from '#platform/page/page.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { ResponsiveTable, TableSkeleton } from '#platform/tables/responsive-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { formatMoment, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { KEPT, ORDER_STATES } from './connection-text.ts';
import { type Place, useOrders } from './connections.queries.ts';
import { OrderDialog } from './order-dialog.tsx';

/** The orders are the proof of what was deleted, so that refused and stopped ones are listed too. */
export function OrdersSection({ place, name }: { place: Place; name: string }) {
  const id = useId();
  const title = useRef<HTMLHeadingElement>(null);
  const list = useOrders(place);
  const { current, open, close } = useDialogState<'details', Order>('details', title);
  const columns = useMemo(() => [...COLUMNS, toActions((order) => open('details', order))], [open]);
  const orders = list.data?.records;
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Title order={2} id={id} ref={title} tabIndex={-1} fz="1rem" style={{ outline: 'none' }}>
        Orders
      </Title>
      {orders === undefined && list.error === null && <TableSkeleton rows={3} />}
      {orders === undefined && list.error !== null && (
        <PageError failure={list.error} onRetry={() => void list.refetch()} />
      )}
      {orders?.length === 0 && (
        <EmptyState icon="archive" title="No orders yet">
          Every night, the threads that are due are ordered from {name} to be deleted. Each order is listed here with
          its outcome.
        </EmptyState>
      )}
      {orders !== undefined && orders.length > 0 && (
        <ResponsiveTable
          label="Orders"
          columns={columns}
          rows={orders}
          rowId={(order) => order.id}
          summary={(order) => <Summary order={order} />}
        />
      )}
      {list.isFetchNextPageError && (
        <div role="alert">
          <Quiet>Couldn't load more orders: {getFailureMessage(list.error)}</Quiet>
        </div>
      )}
      <Group justify="center">
        <ShowMore list={list} />
      </Group>
      {current.about !== null && (
        <OrderDialog key={current.time} place={place} order={current.about} opened={current.opened} onClose={close} />
      )}
    </Stack>
  );
}

const COLUMNS: readonly PlainColumn<Order>[] = [
  { id: 'opened', header: 'Opened', width: 'minmax(0, 1.8fr)', cell: ({ opened_at }) => <Timestamp at={opened_at} /> },
  {
    id: 'messages',
    header: 'Messages',
    width: 'minmax(0, 1.2fr)',
    cell: ({ rows, threads }) => (
      <Stack gap={2}>
        <span>{formatNumber(rows)}</span>
        {threads > 0 && <Quiet>{formatNumber(threads)} threads</Quiet>}
      </Stack>
    ),
  },
  { id: 'gone', header: 'Gone', width: 'minmax(0, 1fr)', cell: ({ gone }) => formatNumber(gone) },
  { id: 'kept', header: 'Kept', width: 'minmax(0, 2.2fr)', cell: (order) => <Kept order={order} /> },
  {
    id: 'state',
    header: 'State',
    width: 'minmax(0, 2.6fr)',
    cell: ({ state, reason }) => (
      <Stack gap={2} align="flex-start">
        <StateBadge {...ORDER_STATES[state]} />
        {reason !== '' && <Quiet>{reason}</Quiet>}
      </Stack>
    ),
  },
  {
    id: 'proof',
    header: 'Proof',
    width: 'minmax(0, 1.2fr)',
    cell: ({ proof }) =>
      proof === '' ? '–' : <code title={`SHA-256 of all outcomes: ${proof}`}>{proof.slice(0, 10)}…</code>,
  },
];

/** Each reason has its own line. */
function Kept({ order: { kept, kept_by } }: { order: Order }) {
  if (kept === 0) return formatNumber(0);
  return (
    <Stack gap={2}>
      <span>{formatNumber(kept)}</span>
      {KeptReason.options.map((reason) => {
        const count = kept_by[reason] ?? 0;
        return count > 0 && <Quiet key={reason}>{`${KEPT[reason]}: ${formatNumber(count)}`}</Quiet>;
      })}
    </Stack>
  );
}

function toActions(onOpen: (order: Order) => void): PlainColumn<Order> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '7rem',
    cell: (order) => (
      <SmallButton
        aria-label={`Details of the order of ${formatMoment(order.opened_at)}`}
        onClick={() => onOpen(order)}
      >
        Details
      </SmallButton>
    ),
  };
}

function Summary({ order: { opened_at, gone, kept, state } }: { order: Order }) {
  return (
    <>
      <Stack gap={0}>
        <Timestamp at={opened_at} />
        <Quiet>
          {formatNumber(gone)} gone, {formatNumber(kept)} kept
        </Quiet>
      </Stack>
      <StateBadge {...ORDER_STATES[state]} />
    </>
  );
}
