import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { CONFIRMED_PATH, subscribeToConfirmation } from './provider-confirmation.ts';

interface ConfirmAtProviderProps {
  url: string;
  /** As its users call it; null if the team has another one by now. */
  provider: string | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Confirms who holds a session of single sign-on: in a new tab, so that nothing on this page is lost. */
export function ConfirmAtProvider({ url, provider, onConfirm, onCancel }: ConfirmAtProviderProps) {
  const [isOpened, setOpened] = useState(false);
  useEffect(() => subscribeToConfirmation(onConfirm), [onConfirm]);
  return (
    <>
      <Text style={{ overflowWrap: 'anywhere' }}>
        Sign in to {provider ?? "your company's identity provider"} again. It opens in a new tab, and this page waits.
      </Text>
      {isOpened && (
        <Text c="dimmed" mt={8} role="status">
          Waiting for the other tab…
        </Text>
      )}
      <DialogButtons>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        {isOpened && (
          <Button variant="default" onClick={onConfirm}>
            I've signed in
          </Button>
        )}
        <Button
          component="a"
          href={`${url}&return=${encodeURIComponent(CONFIRMED_PATH)}`}
          target="_blank"
          rel="opener"
          onClick={() => setOpened(true)}
        >
          {provider === null ? 'Continue with single sign-on' : `Continue with ${provider}`}
        </Button>
      </DialogButtons>
    </>
  );
}
