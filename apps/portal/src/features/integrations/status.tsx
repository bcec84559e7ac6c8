import { Alert, Badge, List, Text } from '@mantine/core';
import type { Integration, IntegrationHealth } from '@steward/contract/integrations';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';

/** Color is never the only signal. */
const APPEARANCE: Readonly<Record<IntegrationHealth, { label: string; icon: IconName; color: string }>> = {
  off: { label: 'Not connected', icon: 'plug', color: 'gray' },
  ok: { label: 'Connected', icon: 'check', color: 'green' },
  warning: { label: 'Needs attention', icon: 'warning', color: 'yellow' },
  failing: { label: 'Connection error', icon: 'close', color: 'red' },
};

export function HealthBadge({ health }: { health: IntegrationHealth }) {
  const { label, icon, color } = APPEARANCE[health];
  return (
    <Badge size="lg" radius="sm" variant="light" color={color} leftSection={<Icon name={icon} size={14} />}>
      {label}
    </Badge>
  );
}

interface WarningsProps {
  /** The server sends complete sentences. Nothing is rendered without any. */
  warnings: readonly string[];
  onDismiss?: () => void;
}

export function Warnings({ warnings, onDismiss }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <Alert
      color="yellow"
      p="sm"
      maw={640}
      role="region"
      aria-label="Needs attention"
      icon={<Icon name="warning" />}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Dismiss"
      {...(onDismiss !== undefined && { onClose: onDismiss })}
    >
      <List listStyleType="none" spacing={6}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** Calls of the webhook address that were refused, such as those with a wrong secret. Nothing is rendered without any. */
export function RefusedCalls({ integration }: { integration: Integration }) {
  const { refused_count: count, refused_reason: reason, refused_at, last_delivery_at } = integration;
  if (refused_at === null) return null;
  const isRecent = refused_at >= (last_delivery_at ?? 0);
  return (
    <Text {...(isRecent && { c: 'var(--danger)' })}>
      <Text span c="dimmed">
        Refused calls:
      </Text>{' '}
      {count.toLocaleString('en-US')}. {reason}{' '}
      <Text span c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        <Timestamp at={refused_at} />
      </Text>
    </Text>
  );
}
