import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { type Delivery, DeliveryState } from '@steward/contract/integrations/deliveries';
import { type UseInfiniteQueryResult, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import type { Listed } from '#platform/api/queries.ts';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { ShowMore } from '#platform/tables/show-more.tsx';
import type { Place } from '../integrations.queries.ts';
import { deliveriesQueryOptions, redeliverMutation } from './deliveries.queries.ts';
import { useDeliveryColumns } from './delivery-columns.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DELIVERY_STATES } from './delivery-text.ts';
import { RedeliverAllDialog } from './redeliver-all-dialog.tsx';

const STATES: readonly { value: DeliveryState | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  ...DeliveryState.options.map((state) => ({ value: state, label: DELIVERY_STATES[state].word })),
];

/** The delivery log, newest first. */
export function Deliveries({ place, isConnected }: { place: Place; isConnected: boolean }) {
  const id = useId();
  const [state, setState] = useState<DeliveryState | ''>('');
  const list = useInfiniteQuery(deliveriesQueryOptions(place, state === '' ? undefined : state));
  const all = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'delivery' | 'all', Delivery>('delivery', all);
  const { redeliver, pendingId } = useRedeliver(place);
  const columns = useDeliveryColumns({ pendingId, onOpen: open, onRedeliver: isConnected ? redeliver : undefined });
  return (
    <Stack role="region" gap="sm" miw={0} aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text component="h2" id={id} size="lg" fw={600}>
          Deliveries
        </Text>
        <Group gap="xs">
          <Box w="11rem">
            <PickOne label="Show deliveries" className={undefined} options={STATES} value={state} onPick={setState} />
          </Box>
          {isConnected && (
            <Button ref={all} variant="default" onClick={() => open('all')}>
              Redeliver all failed
            </Button>
          )}
        </Group>
      </Group>
      <Log list={list} columns={columns} isFiltered={state !== ''} />
      {current.what === 'delivery' && current.about !== null && (
        <DeliveryDialog
          key={current.time}
          place={place}
          delivery={current.about}
          opened={current.opened}
          isPending={pendingId === current.about.id}
          onRedeliver={isConnected ? redeliver : undefined}
          onClose={close}
        />
      )}
      {current.what === 'all' && current.time > 0 && (
        <RedeliverAllDialog key={current.time} place={place} opened={current.opened} onClose={close} />
      )}
    </Stack>
  );
}

interface LogProps {
  list: UseInfiniteQueryResult<Listed<Delivery>>;
  columns: readonly PlainColumn<Delivery>[];
  isFiltered: boolean;
}

function Log({ list, columns, isFiltered }: LogProps) {
  const { data, error, isPlaceholderData, isFetchNextPageError, refetch } = list;
  if (data === undefined && error === null) return <Skeletons rows={3} height={64} />;
  if (data === undefined) return <PageError failure={error} onRetry={() => void refetch()} />;
  if (data.records.length === 0) return <NoDeliveries isFiltered={isFiltered} />;
  return (
    <>
      <PlainTable
        label="Deliveries"
        columns={columns}
        rows={data.records}
        rowId={(delivery) => delivery.id}
        isStale={isPlaceholderData}
      />
      {isFetchNextPageError && (
        <Text c="dimmed" role="alert">
          Couldn't load older deliveries: {getFailureMessage(error)}
        </Text>
      )}
      {list.hasNextPage && (
        <Group justify="center">
          <ShowMore list={list} />
        </Group>
      )}
    </>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="mail" title={isFiltered ? 'No such deliveries' : 'No deliveries yet'}>
      {isFiltered
        ? 'No delivery of the last 30 days is in this state. Choose “All deliveries” to see the others.'
        : 'Deliveries of the last 30 days appear here with their status.'}
    </EmptyState>
  );
}

function useRedeliver(place: Place) {
  const { mutate, isPending, variables } = useMutation(redeliverMutation);
  const redeliver = ({ id }: Delivery) =>
    mutate(
      { params: { ...place, deliveryId: id } },
      {
        onSuccess: () => showAlert({ kind: 'success', text: 'Retrying failed channels.' }),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      },
    );
  return { redeliver, pendingId: isPending ? variables.params.deliveryId : undefined };
}
