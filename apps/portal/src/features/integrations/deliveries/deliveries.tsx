import { Box, Button, Group, List, Stack, Text } from '@mantine/core';
import { type Delivery, DeliveryState } from '@steward/contract/integrations/deliveries';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { LogTable } from '#platform/tables/log-table.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import type { IntegrationKey } from '../integrations.queries.ts';
import {
  deliveriesQueryOptions,
  failedCountQueryOptions,
  redeliverFailedMutation,
  redeliverMutation,
} from './deliveries.queries.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { CHANNEL_STATES, DELIVERY_STATES, formatStarted, isRetryable, redeliverQuestion } from './delivery-text.ts';

const STATES: readonly { value: DeliveryState | ''; label: string }[] = [
  { value: '', label: 'All deliveries' },
  ...DeliveryState.options.map((state) => ({ value: state, label: DELIVERY_STATES[state].word })),
];

export function Deliveries({ place, isConnected }: { place: IntegrationKey; isConnected: boolean }) {
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
      <LogTable
        label="Deliveries"
        noun="deliveries"
        list={list}
        columns={columns}
        empty={<NoDeliveries isFiltered={state !== ''} />}
      />
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

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="mail" title={isFiltered ? 'No such deliveries' : 'No deliveries yet'}>
      {isFiltered
        ? 'No delivery of the last 30 days is in this state. Choose “All deliveries” to see the others.'
        : 'Deliveries of the last 30 days appear here with their status.'}
    </EmptyState>
  );
}

function useRedeliver(place: IntegrationKey) {
  const { mutate, isPending, variables } = useMutation(redeliverMutation);
  const redeliver = ({ id }: Delivery) =>
    mutate(
      { params: { ...place, deliveryId: id } },
      {
        onSuccess: () => showSuccess('Retrying failed channels.'),
        onError: showFailure,
      },
    );
  return { redeliver, pendingId: isPending ? variables.params.deliveryId : undefined };
}

interface DeliveryColumnOptions {
  pendingId: string | undefined;
  onOpen: (what: 'delivery', delivery: Delivery) => void;
  /** The callback is absent if nothing can be posted. */
  onRedeliver: ((delivery: Delivery) => void) | undefined;
}

function useDeliveryColumns({
  pendingId,
  onOpen,
  onRedeliver,
}: DeliveryColumnOptions): readonly PlainColumn<Delivery>[] {
  return useMemo(
    () => [
      {
        id: 'received',
        header: 'Received',
        width: 'minmax(0, 2.1fr)',
        cell: ({ received_at }) => <Timestamp at={received_at} />,
      },
      {
        id: 'state',
        header: 'State',
        width: 'minmax(0, 1.3fr)',
        cell: ({ state }) => <StateBadge {...DELIVERY_STATES[state]} />,
      },
      { id: 'text', header: 'Message', width: 'minmax(0, 3.4fr)', cell: (delivery) => <Message delivery={delivery} /> },
      {
        id: 'channels',
        header: 'Channels',
        width: 'minmax(0, 2.4fr)',
        cell: (delivery) => <Channels delivery={delivery} />,
      },
      {
        id: 'actions',
        header: 'ACTIONS',
        width: '11.5rem',
        cell: (delivery) => (
          <Group gap={6}>
            <RowButton aria-label={`Details of ${getTitle(delivery)}`} onClick={() => onOpen('delivery', delivery)}>
              Details
            </RowButton>
            {onRedeliver !== undefined && isRetryable(delivery) && (
              <RowButton
                aria-label={`Redeliver ${getTitle(delivery)}`}
                loading={pendingId === delivery.id}
                onClick={({ currentTarget }) => {
                  // This button disappears as soon as the delivery is waiting.
                  (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
                  onRedeliver(delivery);
                }}
              >
                Redeliver
              </RowButton>
            )}
          </Group>
        ),
      },
    ],
    [pendingId, onOpen, onRedeliver],
  );
}

function getTitle({ text, received_at }: Delivery): string {
  const [line = ''] = text.split('\n');
  return line === '' ? `the delivery of ${new Date(received_at).toLocaleString('en-US')}` : line.slice(0, 80);
}

function Message({ delivery: { text, note } }: { delivery: Delivery }) {
  return (
    <Stack gap={2} miw={0}>
      {text === '' ? (
        <Text c="dimmed">No message</Text>
      ) : (
        <Text lineClamp={3} style={{ whiteSpace: 'pre-wrap' }}>
          <bdi>{text}</bdi>
        </Text>
      )}
      {note !== '' && (
        <Text c="dimmed" size="xs">
          {note}
        </Text>
      )}
    </Stack>
  );
}

function Channels({ delivery: { channels } }: { delivery: Delivery }) {
  if (channels.length === 0) return <Text c="dimmed">None</Text>;
  return (
    <List listStyleType="none" spacing={4}>
      {channels.map(({ channel_id, channel_name, state, error }) => (
        <List.Item key={channel_id}>
          <bdi>{channel_name}</bdi>{' '}
          <Text span size="xs" c={state === 'failed' ? 'var(--danger)' : 'dimmed'}>
            {CHANNEL_STATES[state].word}
          </Text>
          {error !== '' && (
            <Text size="xs" c="var(--danger)">
              {error}
            </Text>
          )}
        </List.Item>
      ))}
    </List>
  );
}

interface RedeliverAllDialogProps extends DialogControls {
  place: IntegrationKey;
}

function RedeliverAllDialog({ place, opened, onClose }: RedeliverAllDialogProps) {
  const failed = useQuery(failedCountQueryOptions(place, 'failed'));
  const partly = useQuery(failedCountQueryOptions(place, 'partly'));
  const redeliver = useMutation(redeliverFailedMutation);
  const error = failed.error ?? partly.error;
  const confirm = () =>
    redeliver.mutate(
      { params: { ...place } },
      {
        onSuccess: ({ deliveries }) => showSuccess(formatStarted(deliveries)),
        onError: showFailure,
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Redeliver all failed"
      question={redeliverQuestion(failed.data, partly.data)}
      detail={
        <>
          {error !== null && <>Couldn't count the failed deliveries: {getFailureMessage(error)} </>}
          They'll be posted in their original order with the current time. Channels that already received them are
          skipped.
        </>
      }
      confirmLabel="Redeliver"
      pending={redeliver.isPending}
      onConfirm={confirm}
    />
  );
}
