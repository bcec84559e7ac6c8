import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './steady-button.module.css';

interface SteadyButtonProps {
  /** What the command palette knows the button by. */
  errand?: string;
  type?: 'button' | 'submit';
  /** There is nothing to press it for now. */
  isOff: boolean;
  /** What it does is under way. */
  isBusy?: boolean;
  leftSection?: ReactNode;
  onPress?: () => void;
  children: ReactNode;
}

/**
 * A button that cannot be pressed now and then, and keeps the focus all the same: a disabled one loses it, and whoever
 * works by keyboard has to begin at the top of the page again.
 */
export function SteadyButton({ errand, type = 'button', isOff, isBusy = false, onPress, ...props }: SteadyButtonProps) {
  return (
    <Button
      data-errand={errand}
      type={type}
      aria-disabled={isOff || isBusy || undefined}
      aria-busy={isBusy || undefined}
      {...(isOff && !isBusy && { 'data-disabled': true })}
      leftSection={props.leftSection}
      onClick={(event) => {
        if (isOff || isBusy) event.preventDefault();
        else onPress?.();
      }}
    >
      <span className={classes.words} data-busy={isBusy || undefined}>
        {props.children}
      </span>
      {isBusy && (
        <span className={classes.turning}>
          <Loader size={16} color="currentColor" aria-hidden="true" />
        </span>
      )}
    </Button>
  );
}
