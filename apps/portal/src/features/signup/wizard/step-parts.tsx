import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '../signup.module.css';
import { STEPS_TOTAL, type Step, stepNumber } from './signup.form.ts';

/** Progress of the wizard, announced when it changes. */
export function StepProgress({ step }: { step: Step }) {
  const reached = stepNumber(step);
  return (
    <div className={classes.progress}>
      <p className={classes.count} role="status">
        Step {reached} of {STEPS_TOTAL}
      </p>
      <div className={classes.bars} aria-hidden="true">
        {Array.from({ length: STEPS_TOTAL }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are identical and never move
          <span key={at} className={classes.bar} data-reached={at < reached || undefined} />
        ))}
      </div>
    </div>
  );
}

interface StepButtonsProps {
  /** Absent on the first step. */
  onBack?: () => void;
  /** Without it, the button submits its form. */
  onNext?: () => void;
  isDisabled?: boolean;
  isBusy?: boolean;
  children?: ReactNode;
}

/** Continue and Back. */
export function StepButtons({
  onBack,
  onNext,
  isDisabled = false,
  isBusy = false,
  children = 'Continue',
}: StepButtonsProps) {
  return (
    <div className={classes.buttons}>
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
    </div>
  );
}

/** Whether the focus moves to a button, as it does while one is pressed. */
export function isButton(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement;
}
