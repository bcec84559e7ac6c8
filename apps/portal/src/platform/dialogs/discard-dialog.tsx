import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { fetchDialogCode } from './dialog.tsx';

/** Asks before something that was entered is lost, also when somebody goes Back or closes the tab. */
export function useLeaveQuestion(isUnsaved: boolean) {
  const [asking, setAsking] = useState(false);
  const leaving = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    withResolver: true,
  });
  useEffect(() => {
    if (isUnsaved) fetchDialogCode();
  }, [isUnsaved]);
  return {
    isAsking: asking || leaving.status === 'blocked',
    ask: () => setAsking(true),
    stay: () => {
      setAsking(false);
      leaving.reset?.();
    },
    /** Lets go of what was entered, and goes on to wherever somebody was going. */
    leave: (letGo: () => void) => {
      setAsking(false);
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
  onKeep: () => void;
  onDiscard: () => void;
}

/** The question itself. */
export function DiscardDialog(props: DiscardDialogProps) {
  const { opened, isKept, question = 'Close without saving?', onKeep, onDiscard } = props;
  return (
    <ConfirmDialog
      opened={opened}
      title="Discard changes"
      question={question}
      detail="What you have entered here will be lost."
      confirmLabel="Discard"
      danger
      returnFocus={isKept}
      onClose={onKeep}
      onConfirm={onDiscard}
    />
  );
}
