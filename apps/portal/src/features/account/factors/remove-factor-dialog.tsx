import type { ReactNode } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';

interface RemoveFactorDialogProps {
  opened: boolean;
  title: string;
  question: string;
  detail: ReactNode;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

export function RemoveFactorDialog({ isPending, ...dialog }: RemoveFactorDialogProps) {
  return <ConfirmDialog {...dialog} confirmLabel="Remove" danger pending={isPending} />;
}
