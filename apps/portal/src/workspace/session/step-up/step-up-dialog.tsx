import { Button, Stack, Text } from '@mantine/core';
import { type Factors, getFactors } from '@steward/contract/factors/factors';
import { useQuery } from '@tanstack/react-query';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { arePasskeysSupported } from '#workspace/session/passkeys.ts';
import { ConfirmAtProvider } from './confirm-at-provider.tsx';
import { PasskeyProof } from './passkey-proof.tsx';
import { PasswordProof } from './password-proof.tsx';

interface StepUpDialogProps {
  opened: boolean;
  onAnswer: (isConfirmed: boolean) => void;
}

/** Confirms who holds the session, in the way that it has: password and code, a passkey, or the identity provider. */
export function StepUpDialog({ opened, onAnswer }: StepUpDialogProps) {
  return (
    <Dialog opened={opened} onClose={() => onAnswer(false)} title="Confirm that it's you">
      <Text c="dimmed" mb={16}>
        This needs a recent sign-in. Nothing you entered is lost.
      </Text>
      <Proofs onAnswer={onAnswer} />
    </Dialog>
  );
}

function Proofs({ onAnswer }: Pick<StepUpDialogProps, 'onAnswer'>) {
  const { data, error, refetch } = useQuery({ ...queryOptionsFor(getFactors, {}), staleTime: 0 });
  const cancel = () => onAnswer(false);
  if (data === undefined)
    return (
      <>
        {error === null ? (
          <Skeletons rows={2} height={56} />
        ) : (
          <PageError failure={error} onRetry={() => void refetch()} />
        )}
        <DialogButtons>
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
        </DialogButtons>
      </>
    );
  if (data.reauth_url !== null)
    return (
      <ConfirmAtProvider
        url={data.reauth_url}
        provider={data.reauth_provider}
        onConfirm={() => onAnswer(true)}
        onCancel={cancel}
      />
    );
  return (
    <Stack gap={20}>
      {hasUsablePasskey(data) && <PasskeyProof onConfirm={() => onAnswer(true)} />}
      <PasswordProof hasFactor={hasFactor(data)} onConfirm={() => onAnswer(true)} onCancel={cancel} />
    </Stack>
  );
}

const hasFactor = ({ totp, passkeys }: Factors) => totp || passkeys.length > 0;
const hasUsablePasskey = ({ passkeys }: Factors) => passkeys.length > 0 && arePasskeysSupported();
