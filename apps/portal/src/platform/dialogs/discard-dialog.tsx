import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { preloadDialog } from './dialog.tsx';

/** Asks before something that was entered is lost, also when somebody goes Back or closes the tab. */
export function useDiscardPrompt(isUnsaved: boolean) {
  const [asking, setConfirming] = useState(false);
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
    isConfirming: asking || leaving.status === 'blocked',
    ask: () => setConfirming(true),
    stay: () => {
      setConfirming(false);
      leaving.reset?.();
    },
    /** Lets go of what was entered, and goes on to wherever somebody was going. */
    leave: (letGo: () => void) => {
      setConfirming(false);
      letGo();
      leaving.proceed?.();
    },
  };
}

interface DiscardDialogProps {
  opened: boolean;
  /** What it asks about is still there; when it goes, the focus belongs to what had opened that. */
  isKept: boolean;
  question?: string;
  onKeepPrevious: () => void;
  onDiscard: () => void;
}

/** The question itself. */
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
