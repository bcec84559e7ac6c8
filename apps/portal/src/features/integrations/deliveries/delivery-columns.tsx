import { Button } from '@mantine/core';
import type { Delivery } from '@steward/contract/integrations/deliveries';
import { useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import classes from './deliveries.module.css';
import { CHANNEL_STATES, DELIVERY_STATES, isRetryable } from './delivery-text.ts';

interface DeliveryColumnOptions {
  /** The delivery that is being posted again right now. */
  pendingId: string | undefined;
  onOpen: (what: 'delivery', delivery: Delivery) => void;
  /** Absent where nothing can be posted. */
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
          <span className={classes.actions}>
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
                  // It goes away as soon as the delivery waits again.
                  (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
                  onRedeliver(delivery);
                }}
              >
                Redeliver
              </Button>
            )}
          </span>
        ),
      },
    ],
    [pendingId, onOpen, onRedeliver],
  );
}

/** What a delivery is called to whoever does not see its row. */
function getTitle({ text, received_at }: Delivery): string {
  const [line = ''] = text.split('\n');
  return line === '' ? `the delivery of ${new Date(received_at).toLocaleString('en-US')}` : line.slice(0, 80);
}

function Message({ delivery: { text, note } }: { delivery: Delivery }) {
  return (
    <span className={classes.lines}>
      {text === '' ? <span className={classes.quiet}>No message</span> : <bdi className={classes.text}>{text}</bdi>}
      {note !== '' && <span className={classes.quiet}>{note}</span>}
    </span>
  );
}

function Channels({ delivery: { channels } }: { delivery: Delivery }) {
  if (channels.length === 0) return <span className={classes.quiet}>None</span>;
  return (
    <ul className={classes.channels}>
      {channels.map(({ channel_id, channel_name, state, error }) => (
        <li key={channel_id} className={classes.channel} data-state={state}>
          <bdi>{channel_name}</bdi>
          <span className={classes.quiet}>{CHANNEL_STATES[state].word}</span>
          {error !== '' && <span className={classes.reason}>{error}</span>}
        </li>
      ))}
    </ul>
  );
}
