import { Box, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { STEPS_TOTAL, type Step, stepNumber } from './signup.form.ts';

/** Screen readers announce the progress when it changes. */
export function StepProgress({ step }: { step: Step }) {
  const reached = stepNumber(step);
  return (
    <Group justify="space-between" mb="sm">
      <Text role="status" c="dimmed" size="xs" className="figures">
        Step {reached} of {STEPS_TOTAL}
      </Text>
      <Group gap={4} aria-hidden="true">
        {Array.from({ length: STEPS_TOTAL }, (_, at) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: the bars are identical and never move
            key={at}
            w={24}
            h={4}
            bg={at < reached ? 'var(--mantine-primary-color-filled)' : 'var(--hairline)'}
            bdrs={2}
          />
        ))}
      </Group>
    </Group>
  );
}

interface StepButtonsProps {
  /** The first step has no Back button. */
  onBack?: () => void;
  /** Without it, the button submits its form. */
  onNext?: () => void;
  isDisabled?: boolean;
  isBusy?: boolean;
  children?: ReactNode;
}

export function StepButtons({
  onBack,
  onNext,
  isDisabled = false,
  isBusy = false,
  children = 'Continue',
}: StepButtonsProps) {
  return (
    // The next step is on the right, but comes first in the tab order.
    <Group justify="space-between" gap="xs" mt="xs" style={{ flexDirection: 'row-reverse' }}>
      <FocusableButton
        type={onNext === undefined ? 'submit' : 'button'}
        isDisabled={isDisabled}
        isBusy={isBusy}
        {...(onNext !== undefined && { onPress: onNext })}
      >
        {children}
      </FocusableButton>
      {onBack !== undefined && (
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      )}
    </Group>
  );
}

/** Pressing a button moves the focus to it. */
export function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement;
}
