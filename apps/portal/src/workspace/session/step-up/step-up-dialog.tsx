import { Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Factors, getFactors, reauthenticate } from '@steward/contract/factors/factors';
import { normalizeCode } from '@steward/contract/factors/typed-code';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#platform/api/api.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { FormError } from '#workspace/page/card.tsx';
import { arePasskeysSupported, signWithPasskey } from '#workspace/session/passkeys.ts';
import { CONFIRMED_PATH, subscribeToConfirmation } from './provider-confirmation.ts';

interface StepUpDialogProps {
  opened: boolean;
  onAnswer: (isConfirmed: boolean) => void;
}

/** The user confirms their identity in the way that the session requires: password and code, a passkey, or the identity provider. */
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

function PasskeyProof({ onConfirm }: { onConfirm: () => void }) {
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

const EMPTY = { password: '', token: '' };

interface PasswordProofProps {
  /** True if a code is required besides the password. */
  hasFactor: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The code is required only if there is a second factor. */
function PasswordProof({ hasFactor, onConfirm, onCancel }: PasswordProofProps) {
  const { form, submit, isPending, failure } = useProof(hasFactor, onConfirm);
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={16}>
        {failure !== undefined && <FormError>{failure}</FormError>}
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          autoFocus
          visibilityToggleButtonProps={{ 'aria-label': 'Show password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        {hasFactor && (
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('token')}
          />
        )}
      </Stack>
      <DialogButtons>
        <Button variant="default" disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Confirm
        </Button>
      </DialogButtons>
    </form>
  );
}

function useProof(hasFactor: boolean, onConfirm: () => void) {
  // The password isn't kept after the dialog closes.
  const { mutate, isPending, error } = useMutation({ ...mutationOptionsFor(reauthenticate), gcTime: 0 });
  const form = useForm({
    // The screen behind the dialog may have a field of the same name, which must not get the focus.
    name: 'step-up',
    initialValues: EMPTY,
    validate: {
      password: (value) => (value === '' ? 'Enter your password.' : null),
      token: (value) => (hasFactor && normalizeCode(value) === '' ? 'Enter a code.' : null),
    },
  });
  const focus = (field: keyof typeof EMPTY | undefined) => {
    if (field !== undefined) form.getInputNode(field)?.focus();
  };
  const submit = form.onSubmit(
    ({ password, token }) =>
      mutate(
        { body: { password, ...(hasFactor && { token }) } },
        {
          onSuccess: onConfirm,
          onError: ({ id, message }) => {
            const field = FIELDS[id];
            if (field !== undefined) form.setFieldError(field, message);
            focus(field);
          },
        },
      ),
    (errors) => focus(Object.keys(errors)[0] as keyof typeof EMPTY),
  );
  const isShownAbove = error !== null && !isPending && FIELDS[error.id] === undefined;
  return { form, submit, isPending, failure: isShownAbove ? error.message : undefined };
}

const FIELDS: Readonly<Record<string, keyof typeof EMPTY>> = { 'password.wrong': 'password', 'mfa.wrong': 'token' };

interface ConfirmAtProviderProps {
  url: string;
  /** The team's name for the provider; null if the team now has another one. */
  provider: string | null;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Single sign-on opens in a new tab, so that nothing on this page is lost. */
function ConfirmAtProvider({ url, provider, onConfirm, onCancel }: ConfirmAtProviderProps) {
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
