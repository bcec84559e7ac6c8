import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';
import { type EmailedLink, getEmailedToken, keepEmailedToken } from './emailed-token.ts';
import { signOut } from './session.ts';

interface SwitchAccountProps extends Pick<ButtonProps, 'variant'> {
  /** The link that the user opened, which another account is to go on with. */
  link?: EmailedLink;
  onSignedOut: () => Promise<void>;
  children: string;
}

/** Signs out, and opens the same address again. */
export function SwitchAccount({ link, onSignedOut, children, ...button }: SwitchAccountProps) {
  const [isBusy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    const token = link === undefined ? null : getEmailedToken(link);
    await signOut();
    // Signing out removes everything that the tab has stored.
    if (link !== undefined && token !== null) keepEmailedToken(link, token);
    await onSignedOut();
  };
  return (
    <Button {...button} loading={isBusy} onClick={() => void leave()} fullWidth>
      {children}
    </Button>
  );
}
