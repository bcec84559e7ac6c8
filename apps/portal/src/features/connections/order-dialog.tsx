import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { ORDER_ROWS_DAYS } from '@steward/contract/api/limits';
import type { Order, OrderRow } from '@steward/contract/connections';
import { KeptReason } from '@steward/contract/connections/fields';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { DownloadCsv } from '#platform/files/csv-buttons.tsx';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { Facts, Quiet } from '#platform/page/facts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { productSlug } from '#platform/product/product.ts';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { countThreads, KEPT, ORDER_STATES } from './connection-text.ts';
import { createKeptPageFetcher, keptQueryOptions, type Place } from './connections.queries.ts';

interface OrderDialogProps {
  place: Place;
  order: Order;
  opened: boolean;
  onClose: () => void;
}

export function OrderDialog({ place, order, opened, onClose }: OrderDialogProps) {
  const { state, reason, rows, threads, gone, kept, opened_at, closed_at, orphans, server_version } = order;
  return (
    <Dialog opened={opened} onClose={onClose} title="Order" width={880}>
      <Stack gap="md" miw={0}>
        <Group gap="4px 12px">
          <StateBadge {...ORDER_STATES[state]} />
          {reason !== '' && <Text span>{reason}</Text>}
        </Group>
        <Facts
          facts={[
            ['Opened', <Timestamp key="opened" at={opened_at} />],
            ['Ended', closed_at === 0 ? 'Not yet' : <Timestamp key="closed" at={closed_at} />],
            ['Ordered', countThreads(rows, threads)],
            ['Gone', formatNumber(gone)],
            ['Stray versions', orphans === 0 ? null : `${formatNumber(orphans)} deleted too`],
            ['Server', server_version === '' ? null : server_version],
            ['Digest of the ids', order.digest === '' ? null : <Hash key="digest" value={order.digest} />],
            ['Proof', order.proof === '' ? null : <Hash key="proof" value={order.proof} />],
          ]}
        />
        {kept > 0 && <KeptMessages place={place} order={order} />}
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Hash({ value }: { value: string }) {
  return <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>;
}

function KeptMessages({ place, order: { id: orderId, kept, kept_by } }: Pick<OrderDialogProps, 'place' | 'order'>) {
  const [reason, setReason] = useState<KeptReason | ''>('');
  const list = useInfiniteQuery(keptQueryOptions({ ...place, orderId, reason }));
  const rows = list.data?.records;
  const options = KeptReason.options.flatMap((value) => {
    const count = kept_by[value] ?? 0;
    return count === 0 ? [] : [{ value, label: `${KEPT[value]}: ${formatNumber(count)}` }];
  });
  return (
    <Stack component="section" gap="sm" miw={0} aria-label="Kept messages">
      <Group justify="space-between" gap="sm">
        <Text component="h3" m={0} fw={600}>
          Kept messages
        </Text>
        <Group gap="sm">
          <PickOne
            label="Reason"
            className={undefined}
            options={[{ value: '' as const, label: `All: ${formatNumber(kept)}` }, ...options]}
            value={reason}
            onPick={setReason}
          />
          <DownloadCsv
            fileName={`${productSlug()}-kept-messages.csv`}
            noun="messages"
            fetchPage={createKeptPageFetcher({ ...place, orderId, reason })}
            loadCsv={async () => (await import('./kept.csv.ts')).createKeptCsv}
          />
        </Group>
      </Group>
      {rows === undefined && list.error === null && <Skeletons rows={3} height={38} />}
      {rows === undefined && list.error !== null && (
        <Text role="alert" c="var(--danger)">
          Couldn't load the messages: {getFailureMessage(list.error)}
        </Text>
      )}
      {rows?.length === 0 && <Quiet>The list of messages is kept for {ORDER_ROWS_DAYS} days after an order.</Quiet>}
      {rows !== undefined && rows.length > 0 && (
        <PlainTable
          label="Kept messages"
          columns={COLUMNS}
          rows={rows}
          rowId={(row) => row.id}
          isStale={list.isPlaceholderData}
        />
      )}
      <Group justify="center">
        <ShowMore list={list} compact />
      </Group>
    </Stack>
  );
}

const COLUMNS: readonly PlainColumn<OrderRow>[] = [
  {
    id: 'message',
    header: 'Message',
    width: 'minmax(0, 2.4fr)',
    cell: ({ id, thread_id }) => (
      <Stack gap={2}>
        <Text span inherit ff="monospace" fz="0.8125rem" style={{ overflowWrap: 'anywhere' }}>
          {id}
        </Text>
        {thread_id !== id && <Quiet>In the thread {thread_id}</Quiet>}
      </Stack>
    ),
  },
  {
    id: 'channel',
    header: 'Channel',
    width: 'minmax(0, 1.8fr)',
    cell: ({ channel_id, channel_name }) => (
      <Text span inherit style={{ overflowWrap: 'anywhere' }}>
        {channel_name === '' ? <Quiet>{channel_id}</Quiet> : <bdi>{channel_name}</bdi>}
      </Text>
    ),
  },
  {
    id: 'posted',
    header: 'Posted',
    width: 'minmax(0, 1.6fr)',
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
  {
    id: 'reason',
    header: 'Reason',
    width: 'minmax(0, 1.6fr)',
    cell: ({ reason }) => (reason === '' ? '–' : KEPT[reason]),
  },
];
