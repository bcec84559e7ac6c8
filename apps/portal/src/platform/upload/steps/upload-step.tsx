import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { formatNumber } from '#platform/time/format.ts';
import classes from './upload.module.css';

export function Step({ children }: { children: ReactNode }) {
  return (
    <Stack gap={20} miw={0} className={classes.step ?? ''}>
      {children}
    </Stack>
  );
}

interface StepHeadingProps {
  children: ReactNode;
  text?: ReactNode;
}

/** The heading takes the focus, so that keyboards and screen readers continue from here. */
export function StepHeading({ children, text }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // This runs in the commit that shows the step, because a passive effect may run seconds later while a large file is being read.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Stack gap={2} miw={0}>
      {/* The heading can't be operated, so it shows no focus. */}
      <Title ref={heading} order={3} tabIndex={-1} data-autofocus fz="0.9375rem" lh={1.4} style={{ outline: 'none' }}>
        {children}
      </Title>
      {text !== undefined && <Text c="dimmed">{text}</Text>}
    </Stack>
  );
}

/** The buttons are always in view at the bottom of the dialog. */
export function StepButtons({ children }: { children: ReactNode }) {
  return (
    <Group gap={8} justify="flex-end" className={classes.buttons ?? ''}>
      {children}
    </Group>
  );
}

interface StepErrorProps {
  title: ReactNode;
  children: ReactNode;
  buttons: ReactNode;
}

/** Says why a step can't continue, and what to do about it. */
export function StepError({ title, children, buttons }: StepErrorProps) {
  return (
    <Alert
      p="sm"
      bg="var(--danger-soft)"
      bd="1px solid var(--danger-line)"
      icon={
        <Text span c="var(--danger)" lh={1}>
          <Icon name="warning" />
        </Text>
      }
    >
      <Group gap="sm" align="flex-start">
        <Stack gap={4} flex="1 1 200px" miw={0}>
          <Text fw={600}>{title}</Text>
          {children}
        </Stack>
        <Group gap={8}>{buttons}</Group>
      </Group>
    </Alert>
  );
}

export function Counts({ counts }: { counts: readonly (readonly [label: string, count: number])[] }) {
  return (
    <Group
      component="dl"
      gap="12px clamp(16px, 4vw, 40px)"
      m={0}
      px="md"
      py="sm"
      bd="1px solid var(--hairline)"
      bdrs="md"
      className="figures"
    >
      {counts.map(([label, count]) => (
        <div key={label}>
          <Text component="dt" c="dimmed" fz="0.8125rem">
            {label}
          </Text>
          <Text component="dd" m={0} fz="1.125rem" fw={600}>
            {formatNumber(count)}
          </Text>
        </div>
      ))}
    </Group>
  );
}
