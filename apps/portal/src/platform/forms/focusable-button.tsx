import { Box, Button, Loader } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { usePressByCommand } from '#platform/page/waiting-command.ts';

interface FocusableButtonProps {
  /** Name of the button in the command palette. */
  command?: string;
  type?: 'button' | 'submit';
  /** Use 'default' if the view has another primary button, or none. */
  variant?: 'filled' | 'default';
  isDisabled: boolean;
  isBusy?: boolean;
  leftSection?: ReactNode;
  onPress?: () => void;
  children: ReactNode;
}

/**
 * The button keeps the focus while it can't be pressed. A disabled button loses it, and users of keyboards would have to start
 * again at the top of the page.
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
  const button = useRef<HTMLButtonElement>(null);
  usePressByCommand(command, button);
  return (
    <Button
      ref={button}
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
      {/* The text keeps the width of the button, and is still read out. */}
      <Box component="span" {...(isBusy && { opacity: 0 })}>
        {props.children}
      </Box>
      {isBusy && (
        <Box component="span" pos="absolute" inset={0} display="grid" style={{ placeContent: 'center' }}>
          <Loader size={16} color="currentColor" aria-hidden="true" />
        </Box>
      )}
    </Button>
  );
}
