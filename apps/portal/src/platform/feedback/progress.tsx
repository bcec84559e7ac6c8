import { Box, Text } from '@mantine/core';
import { formatNumber } from '#platform/time/format.ts';
import classes from './progress.module.css';

interface ProgressBarProps {
  /** The accessible name. */
  label: string;
  value: number;
  /** 0 while it is unknown. */
  max: number;
  /** The progress in words, shown below the bar; by default the label with both numbers, once they are known. */
  text?: string;
}

export function ProgressBar({ label, value, max, text = describe({ label, value, max }) }: ProgressBarProps) {
  return (
    <div>
      <Box
        component="progress"
        className={classes.bar ?? ''}
        display="block"
        w="100%"
        h={8}
        style={{ accentColor: 'var(--mantine-primary-color-filled)' }}
        aria-label={label}
        aria-valuetext={text}
        {...(max > 0 && { value: Math.min(value, max), max })}
      />
      <Text fz={13} c="dimmed" mt={8} className="figures">
        {text}
      </Text>
    </div>
  );
}

function describe({ label, value, max }: Omit<ProgressBarProps, 'text'>): string {
  return max > 0 ? `${label}: ${formatNumber(value)} of ${formatNumber(max)}` : `${label}…`;
}
