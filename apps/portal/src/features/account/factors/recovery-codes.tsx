import type { RefObject } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FactorRow } from './factor-row.tsx';
import { useRenewRecoveryCodes } from './factors.queries.ts';

interface RecoveryCodesProps {
  left: number;
  /** Gets the focus when what opened a dialog is gone. */
  fallback: RefObject<HTMLElement | null>;
  onCodes: (codes: readonly string[]) => void;
}

/** How many recovery codes are left, and new ones. */
export function RecoveryCodes({ left, fallback, onCodes }: RecoveryCodesProps) {
  const { current, open, close } = useDialogState<'renew', never>('renew', fallback);
  const { mutate, isPending } = useRenewRecoveryCodes();
  const renew = () =>
    mutate(
      {},
      {
        onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: close,
      },
    );
  return (
    <>
      <FactorRow title="Recovery codes" text={toText(left)} action="Create new codes" onAction={() => open('renew')} />
      <ConfirmDialog
        opened={current.opened}
        onClose={close}
        title="Create new recovery codes"
        question="Replace your recovery codes?"
        detail="The codes that you have now stop working."
        confirmLabel="Create new codes"
        pending={isPending}
        onConfirm={renew}
      />
    </>
  );
}

function toText(left: number): string {
  if (left === 0) return 'None left. Create new ones, or you may lose access to your account.';
  return left === 1 ? '1 code left. Each works once.' : `${left} codes left. Each works once.`;
}
