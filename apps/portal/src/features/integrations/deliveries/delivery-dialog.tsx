import { Alert, Button, Code, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { Delivery } from '@steward/contract/integrations/deliveries';
import { useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import type { IntegrationKey } from '../integrations.queries.ts';
import { deliveryQueryOptions } from './deliveries.queries.ts';
import { CHANNEL_STATES, DELIVERY_STATES, type DeliveryChannel, formatAttempts, isRetryable } from './delivery-text.ts';

interface DeliveryDialogProps extends DialogControls {
  place: IntegrationKey;
  /** The list has no request of a delivery, so the request is fetched. */
  delivery: Delivery;
  isPending: boolean;
  onRedeliver: ((delivery: Delivery) => void) | undefined;
}

export function DeliveryDialog({ place, delivery: listed, opened, isPending, ...props }: DeliveryDialogProps) {
  const { data, error, refetch } = useQuery(deliveryQueryOptions(place, listed.id));
  const delivery = data ?? listed;
  const { onRedeliver, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title="Delivery" width={720}>
      <Stack gap="sm" miw={0}>
        <Group gap="4px 12px">
          <StateBadge {...DELIVERY_STATES[delivery.state]} />
          <Timestamp at={delivery.received_at} />
          <Text span c="dimmed" size="xs" ff="monospace">
            {delivery.invocation_id}
          </Text>
        </Group>
        {delivery.note !== '' && (
          <Alert color="yellow" p="xs" role="note">
            {delivery.note}
          </Alert>
        )}
        {delivery.text !== '' && (
          <Paper withBorder px="md" py="sm" mah="14rem" style={{ overflowY: 'auto', whiteSpace: 'pre-wrap' }}>
            {delivery.text}
          </Paper>
        )}
        {delivery.channels.length > 0 && <Channels channels={delivery.channels} />}
        {data !== undefined && <Request headers={data.headers} body={data.body} />}
        {error !== null && data === undefined && (
          <Group gap="xs" role="alert" c="var(--danger)">
            Couldn't load the request: {getFailureMessage(error)}
            <RowButton onClick={() => void refetch()}>Retry</RowButton>
          </Group>
        )}
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
        {onRedeliver !== undefined && isRetryable(delivery) && (
          <Button
            loading={isPending}
            onClick={({ currentTarget }) => {
              // This button disappears as soon as the delivery is waiting.
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
    <Table aria-label="Channels of the delivery" tabularNums horizontalSpacing={0}>
      <Table.Tbody>
        {channels.map(({ channel_id, channel_name, state, attempts, error }) => (
          <Table.Tr key={channel_id}>
            <Table.Th scope="row" fw={400}>
              <bdi>{channel_name}</bdi>
              {error !== '' && (
                <Text size="xs" c="var(--danger)">
                  {error}
                </Text>
              )}
            </Table.Th>
            <Table.Td c="dimmed" ta="end" style={{ whiteSpace: 'nowrap' }}>
              {formatAttempts(attempts)}
            </Table.Td>
            <Table.Td ta="end" w={1} ps="sm">
              <StateBadge {...CHANNEL_STATES[state]} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Request({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      <Block title="Request headers" text={lines.join('\n')} />
      <Block title="Request body" text={body} />
    </>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <Stack gap={6}>
      <Text component="h3" c="dimmed" size="xs" fw={500}>
        {title}
      </Text>
      {/* This is focusable, so that long text can be scrolled by keyboard. */}
      <Code block role="region" aria-label={title} tabIndex={0} mah="16rem" style={{ whiteSpace: 'pre-wrap' }}>
        {text}
      </Code>
    </Stack>
  );
}
