import { Button, Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './focusable-button.module.css';

interface FocusableButtonProps {
  /** What the command palette knows the button by. */
  command?: string;
  type?: 'button' | 'submit';
  /** 'default' where the view has another primary button, or none. */
  variant?: 'filled' | 'default';
  /** There is nothing to press it for now. */
  isDisabled: boolean;
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
export function FocusableButton({
  command,
  type = 'button',
  variant = 'filled',
  isDisabled,
  isBusy = false,
  onPress,
  ...props
}: FocusableButtonProps) {
  return (
    <Button
      data-command={command}
      type={type}
      variant={variant}
      aria-disabled={isDisabled || isBusy || undefined}
      aria-busy={isBusy || undefined}
      {...(isDisabled && !isBusy && { 'data-disabled': true })}
      leftSection={props.leftSection}
      onClick={(event) => {
        if (isDisabled || isBusy) event.preventDefault();
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
