import { Group } from '@mantine/core';
import { formatDuration } from '@steward/contract/retention/describe-rule';
import type { Duration } from '@steward/contract/retention/fields';
import { SmallButton } from '../small-button.tsx';

/** Companies often keep content for these durations. */
const PRESETS: readonly Duration[] = [
  { count: 90, period: 'd' },
  { count: 1, period: 'y' },
  { count: 2, period: 'y' },
  { count: 7, period: 'y' },
];

interface PresetsProps {
  count: string;
  period: Duration['period'];
  onPick: (duration: { count: string; period: Duration['period'] }) => void;
}

export function Presets({ count, period, onPick }: PresetsProps) {
  return (
    <Group gap={6} mt={8} role="group" aria-label="Common durations">
      {PRESETS.map((preset) => {
        const isChosen = count.trim() === String(preset.count) && period === preset.period;
        return (
          <SmallButton
            key={formatDuration(preset)}
            variant={isChosen ? 'light' : 'default'}
            aria-pressed={isChosen}
            onClick={() => onPick({ count: String(preset.count), period: preset.period })}
          >
            {formatDuration(preset)}
          </SmallButton>
        );
      })}
    </Group>
  );
}
