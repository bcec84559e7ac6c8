import { Button, Group, List, Stack, Text } from '@mantine/core';
import type { Delivery } from '@steward/contract/integrations/deliveries';
import { useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { CHANNEL_STATES, DELIVERY_STATES, isRetryable } from './delivery-text.ts';

interface DeliveryColumnOptions {
  /** The delivery that is being retried. */
  pendingId: string | undefined;
  onOpen: (what: 'delivery', delivery: Delivery) => void;
  /** Absent if nothing can be posted. */
  onRedeliver: ((delivery: Delivery) => void) | undefined;
}

/** The columns of the log. */
export function useDeliveryColumns({
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
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`Details of ${getTitle(delivery)}`}
              onClick={() => onOpen('delivery', delivery)}
            >
              Details
            </Button>
            {onRedeliver !== undefined && isRetryable(delivery) && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Redeliver ${getTitle(delivery)}`}
                loading={pendingId === delivery.id}
                onClick={({ currentTarget }) => {
                  // This button disappears as soon as the delivery is waiting.
                  (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
                  onRedeliver(delivery);
                }}
              >
                Redeliver
              </Button>
            )}
          </Group>
        ),
      },
    ],
    [pendingId, onOpen, onRedeliver],
  );
}

/** The accessible name of a delivery. */
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
