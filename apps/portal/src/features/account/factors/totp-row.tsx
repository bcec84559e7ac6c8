import { type RefObject, Suspense } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { FactorRow } from './factor-row.tsx';
import { useRemoveTotp } from './factors.queries.ts';
import { RemoveFactorDialog } from './remove-factor-dialog.tsx';

// With the code that draws QR codes.
const TotpDialog = lazyComponent(async () => (await import('./totp-dialog.tsx')).TotpDialog);

interface TotpRowProps {
  isSetUp: boolean;
  /** Gets the focus when what opened a dialog is gone. */
  fallback: RefObject<HTMLElement | null>;
  onCodes: (codes: readonly string[]) => void;
}

/** The authenticator app. */
export function TotpRow({ isSetUp, fallback, onCodes }: TotpRowProps) {
  const { current, open, close } = useDialogState<'set_up' | 'remove', never>('set_up', fallback);
  const finish = (codes: readonly string[]) => {
    close();
    showAlert({ kind: 'success', text: 'Your authenticator app is set up' });
    onCodes(codes);
  };
  return (
    <>
      <FactorRow
        title="Authenticator app"
        text={
          isSetUp ? 'Set up. You enter a code of it when you sign in.' : 'An app that shows a new code every 30 seconds'
        }
        action={isSetUp ? 'Remove' : 'Set up'}
        onAction={() => open(isSetUp ? 'remove' : 'set_up')}
      />
      {current.time > 0 &&
        (current.what === 'remove' ? (
          <RemoveTotp key={current.time} opened={current.opened} onClose={close} />
        ) : (
          <Suspense fallback={null}>
            <TotpDialog key={current.time} opened={current.opened} onClose={close} onDone={finish} />
          </Suspense>
        ))}
    </>
  );
}

function RemoveTotp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { mutate, isPending } = useRemoveTotp();
  const remove = () =>
    mutate(
      {},
      {
        onSuccess: () => showAlert({ kind: 'success', text: 'Your authenticator app was removed' }),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: onClose,
      },
    );
  return (
    <RemoveFactorDialog
      opened={opened}
      title="Remove authenticator app"
      question="Remove your authenticator app?"
      detail="Its codes stop working. Without a passkey, your password alone will open your account, and recovery codes end too."
      isPending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
