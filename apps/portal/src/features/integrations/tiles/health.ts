import type { IntegrationHealth } from '@steward/contract/integrations';
import type { IconName } from '#platform/page/icon.tsx';

/** How a health is shown: colour is never the only carrier. */
interface Shown {
  word: string;
  icon: IconName;
  tone: 'quiet' | 'good' | 'warning' | 'danger';
}

export const HEALTH_LABELS: Readonly<Record<IntegrationHealth, Shown>> = {
  off: { word: 'Not connected', icon: 'plug', tone: 'quiet' },
  ok: { word: 'Connected', icon: 'check', tone: 'good' },
  warning: { word: 'Needs attention', icon: 'warning', tone: 'warning' },
  failing: { word: 'Connection error', icon: 'close', tone: 'danger' },
};
