import { Group, Text } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import classes from './bar-chart.module.css';

export interface Bar {
  key: string;
  value: number;
  /** The text is shown on hover and on keyboard focus, such as “Nov 2025: 12 files, 3 MB”. */
  text: string;
  /** This part of the bar, from its start, would be deleted. It is between 0 and 1. */
  going: number;
}

export interface Line {
  /** The unit is bars from the start: 1.5 is the middle of the second bar. */
  at: number;
  label: string;
  tone: 'current' | 'edited';
}

interface BarChartProps {
  label: string;
  bars: readonly Bar[];
  lines?: readonly Line[];
  /** `top` labels the highest value of the vertical axis; the others label the ends of the horizontal axis. */
  axis: { top: string; start: string; end: string };
  /** Without a legend for the shaded part, nothing is shaded. */
  goingLabel?: string;
}

const WIDTH = 100;
const HEIGHT = 100;
/** A bar fills this fraction of its slot. */
const FILL = 0.78;

/**
 * An invisible slider covers the bars, so that hovering or the arrow keys read out a value. A table beside the chart has the same values.
 */
export function BarChart({ label, bars, lines, axis, goingLabel }: BarChartProps) {
  const [chosen, setChosen] = useState<number>();
  const shown = chosen === undefined ? undefined : bars[Math.min(chosen, bars.length - 1)];
  const last = bars.length - 1;
  return (
    <figure className={classes.chart} aria-label={label}>
      <Text className={classes.top} aria-hidden="true">
        {axis.top}
      </Text>
      <div className={classes.plot}>
        <Bars bars={bars} lines={lines ?? []} chosen={chosen} />
        <input
          className={classes.reader}
          type="range"
          min={0}
          max={Math.max(last, 0)}
          step={1}
          value={chosen ?? last}
          aria-label={`${label}: read the values with the arrow keys`}
          aria-valuetext={(shown ?? bars[last])?.text ?? ''}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          onFocus={() => setChosen((now) => now ?? last)}
          onPointerMove={({ currentTarget, clientX }) => setChosen(findBar(currentTarget, clientX, bars.length))}
          onPointerLeave={({ currentTarget }) => document.activeElement !== currentTarget && setChosen(undefined)}
          onBlur={() => setChosen(undefined)}
        />
      </div>
      <Group className={classes.ends} justify="space-between" aria-hidden="true">
        <span>{axis.start}</span>
        <span>{axis.end}</span>
      </Group>
      <figcaption className={classes.caption}>
        <Text className={classes.value}>{shown?.text ?? ' '}</Text>
        <Legend lines={lines} goingLabel={goingLabel} />
      </figcaption>
    </figure>
  );
}

function findBar(place: HTMLElement, x: number, count: number): number {
  const { left, width } = place.getBoundingClientRect();
  return Math.max(0, Math.min(count - 1, Math.floor(((x - left) / width) * count)));
}

function Bars({ bars, lines, chosen }: { bars: readonly Bar[]; lines: readonly Line[]; chosen: number | undefined }) {
  const highest = Math.max(1, ...bars.map(({ value }) => value));
  const step = WIDTH / Math.max(bars.length, 1);
  return (
    <svg className={classes.bars} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {chosen !== undefined && <rect className={classes.chosen} x={chosen * step} width={step} height={HEIGHT} />}
      {bars.map(({ key, value, going }, at) => {
        // A bar has a minimum height, so that a month with one item doesn't look empty.
        const height = value === 0 ? 0 : Math.max(1.5, (value / highest) * HEIGHT);
        const [x, y, width] = [at * step + (step * (1 - FILL)) / 2, HEIGHT - height, step * FILL];
        return (
          <g key={key}>
            <rect className={classes.bar} x={x} y={y} width={width} height={height} />
            {going > 0 && <rect className={classes.going} x={x} y={y} height={height} width={width * going} />}
          </g>
        );
      })}
      {lines.map(({ label, tone, at }) => (
        <line key={label} data-tone={tone} className={classes.line} x1={at * step} x2={at * step} y1={0} y2={HEIGHT} />
      ))}
    </svg>
  );
}

function Legend({ lines, goingLabel }: { lines: readonly Line[] | undefined; goingLabel: string | undefined }) {
  // A chart that never has lines reserves no space for them.
  if (lines === undefined) return null;
  return (
    <Group component="ul" className={classes.legend} gap="4px 16px">
      {lines.map(({ label, tone }) => (
        <li key={label} data-tone={tone} style={{ '--mark': 'line' } as CSSProperties}>
          {label}
        </li>
      ))}
      {goingLabel !== undefined && <li data-tone="going">{goingLabel}</li>}
    </Group>
  );
}
