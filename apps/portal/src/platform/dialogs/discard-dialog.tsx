import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { preloadDialog } from './dialog.tsx';

/** Asks before unsaved input is lost, also on Back and when the tab is closed. */
export function useDiscardPrompt(isUnsaved: boolean) {
  const [isAsking, setConfirming] = useState(false);
  const leaving = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  useEffect(() => {
    if (isUnsaved) preloadDialog();
  }, [isUnsaved]);
  return {
    isConfirming: isAsking || leaving.status === 'blocked',
    ask: () => setConfirming(true),
    stay: () => {
      setConfirming(false);
      leaving.reset?.();
    },
    /** Discards the input and continues the blocked navigation. */
    leave: (discard: () => void) => {
      setConfirming(false);
      discard();
      leaving.proceed?.();
    },
  };
}

interface DiscardDialogProps {
  opened: boolean;
  /** The form is still open. When it closes, the focus returns to the element that opened the form. */
  isKept: boolean;
  question?: string;
  onKeepPrevious: () => void;
  onDiscard: () => void;
}

export function DiscardDialog(props: DiscardDialogProps) {
  const { opened, isKept, question = 'Close without saving?', onKeepPrevious, onDiscard } = props;
  return (
    <ConfirmDialog
      opened={opened}
      title="Discard changes"
      question={question}
      detail="Your unsaved changes will be lost."
      confirmLabel="Discard"
      danger
      returnFocus={isKept}
      onClose={onKeepPrevious}
      onConfirm={onDiscard}
    />
  );
}

interface LeaveDialogProps {
  leaving: ReturnType<typeof useDiscardPrompt>;
  /** Restores the saved values of the form. */
  onDiscard: () => void;
}

/** Asks before the user leaves a form on its own screen. */
export function LeaveDialog({ leaving, onDiscard }: LeaveDialogProps) {
  return (
    <DiscardDialog
      opened={leaving.isConfirming}
      isKept
      question="Leave without saving?"
      onKeepPrevious={leaving.stay}
      onDiscard={() => leaving.leave(onDiscard)}
    />
  );
}
