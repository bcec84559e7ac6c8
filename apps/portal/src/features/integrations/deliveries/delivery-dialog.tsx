import { Button } from '@mantine/core';
import type { Delivery } from '@steward/contract/integrations/deliveries';
import { useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import type { Place } from '../integrations.queries.ts';
import classes from './deliveries.module.css';
import { deliveryQueryOptions } from './deliveries.queries.ts';
import { CHANNEL_STATES, DELIVERY_STATES, type DeliveryChannel, formatAttempts, isRetryable } from './delivery-text.ts';

interface DeliveryDialogProps {
  place: Place;
  /** As the list has it; the request comes after. */
  delivery: Delivery;
  opened: boolean;
  /** It is being posted again right now. */
  isPending: boolean;
  onRedeliver: ((delivery: Delivery) => void) | undefined;
  onClose: () => void;
}

/** All that is known of one delivery: its message, its channels, and the request that brought it. */
export function DeliveryDialog({ place, delivery: listed, opened, isPending, ...props }: DeliveryDialogProps) {
  const { data, error, refetch } = useQuery(deliveryQueryOptions(place, listed.id));
  const delivery = data ?? listed;
  const { onRedeliver, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title="Delivery" width={720}>
      <div className={classes.delivery}>
        <p className={classes.summary}>
          <StateBadge {...DELIVERY_STATES[delivery.state]} /> <Timestamp at={delivery.received_at} />
          <span className={classes.id}>{delivery.invocation_id}</span>
        </p>
        {delivery.note !== '' && <p className={classes.remark}>{delivery.note}</p>}
        {delivery.text !== '' && <p className={classes.message}>{delivery.text}</p>}
        {delivery.channels.length > 0 && <Channels channels={delivery.channels} />}
        {data !== undefined && <Request headers={data.headers} body={data.body} />}
        {error !== null && data === undefined && (
          <div className={classes.failed} role="alert">
            The request could not be loaded: {getFailureMessage(error)}
            <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
              Retry
            </Button>
          </div>
        )}
      </div>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
        {onRedeliver !== undefined && isRetryable(delivery) && (
          <Button
            loading={isPending}
            onClick={({ currentTarget }) => {
              // It goes away as soon as the delivery waits again.
              (currentTarget.previousElementSibling as HTMLElement | null)?.focus();
              onRedeliver(delivery);
            }}
          >
            Redeliver
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function Channels({ channels }: { channels: readonly DeliveryChannel[] }) {
  return (
    <table className={classes.table} aria-label="Channels of the delivery">
      <tbody>
        {channels.map(({ channel_id, channel_name, state, attempts, error }) => (
          <tr key={channel_id}>
            <th scope="row">
              <bdi>{channel_name}</bdi>
              {error !== '' && <span className={classes.reason}>{error}</span>}
            </th>
            <td>{formatAttempts(attempts)}</td>
            <td>
              <StateBadge {...CHANNEL_STATES[state]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Request({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className={classes.request}>
      <h3 className={classes.heading}>Request headers</h3>
      <Block label="Request headers" text={lines.join('\n')} />
      <h3 className={classes.heading}>Request body</h3>
      <Block label="Request body" text={body} />
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is long is scrolled by the keyboard too
    <section className={classes.block} aria-label={label} tabIndex={0}>
      {text}
    </section>
  );
}
