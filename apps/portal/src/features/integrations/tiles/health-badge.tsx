import type { IntegrationHealth } from '@steward/contract/integrations';
import { Icon } from '#platform/page/icon.tsx';
import { HEALTH_LABELS } from './health.ts';
import classes from './health-badge.module.css';

/** How a connection is. */
export function HealthBadge({ health }: { health: IntegrationHealth }) {
  const { word, icon, tone } = HEALTH_LABELS[health];
  return (
    <span className={classes.badge} data-tone={tone}>
      <Icon name={icon} size={14} />
      {word}
    </span>
  );
}
