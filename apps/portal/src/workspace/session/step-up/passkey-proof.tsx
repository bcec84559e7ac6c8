import { Button, Divider } from '@mantine/core';
import { reauthenticate } from '@steward/contract/factors/factors';
import { useState } from 'react';
import { call } from '#platform/api/api.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import { FormError } from '#workspace/page/card.tsx';
import { signWithPasskey } from '#workspace/session/passkeys.ts';

/** Confirms who holds the session with a passkey. */
export function PasskeyProof({ onConfirm }: { onConfirm: () => void }) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function confirm() {
    setBusy(true);
    setError(undefined);
    try {
      const response = await signWithPasskey();
      if (response !== null) {
        await call(reauthenticate, { body: { response } });
        return onConfirm();
      }
    } catch (thrown) {
      setError(getFailureMessage(thrown));
    }
    setBusy(false);
  }

  return (
    <>
      {error !== undefined && <FormError>{error}</FormError>}
      <Button
        variant="default"
        fullWidth
        loading={isBusy}
        leftSection={<Icon name="passkey" size={16} />}
        onClick={() => void confirm()}
      >
        Use a passkey
      </Button>
      <Divider label="or" labelPosition="center" />
    </>
  );
}
