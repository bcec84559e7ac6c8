import { Badge } from '@mantine/core';
import type { IntegrationHealth } from '@steward/contract/integrations';
import { Icon, type IconName } from '#platform/page/icon.tsx';

/** Color is never the only signal. */
const APPEARANCE: Readonly<Record<IntegrationHealth, { label: string; icon: IconName; color: string }>> = {
  off: { label: 'Not connected', icon: 'plug', color: 'gray' },
  ok: { label: 'Connected', icon: 'check', color: 'green' },
  warning: { label: 'Needs attention', icon: 'warning', color: 'yellow' },
  failing: { label: 'Connection error', icon: 'close', color: 'red' },
};

/** The health of a connection. */
export function HealthBadge({ health }: { health: IntegrationHealth }) {
  const { label, icon, color } = APPEARANCE[health];
  return (
    <Badge size="lg" radius="sm" variant="light" color={color} leftSection={<Icon name={icon} size={14} />}>
      {label}
    </Badge>
  );
}
