import '@mantine/core/styles/Text.layer.css';
import { Text } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { UndoConfirm } from './history/imports-confirm.tsx';
import { UndoProgress } from './history/imports-undo.tsx';
import { useUploadSession } from './upload/upload-screen.ts';
import type { UploadStep } from './upload/upload-session.ts';
import { ChooseStep } from './upload-choose.tsx';
import { PreviewStep } from './upload-preview.tsx';
import { ReadingStep, StoringStep } from './upload-progress.tsx';
import { ResultStep } from './upload-result.tsx';

interface UploadDialogProps {
  teamId: string;
  opened: boolean;
  /** Files dropped on the page. */
  dropped: readonly File[];
  onClose: () => void;
  onBusy: (isBusy: boolean) => void;
  onChanged: () => void;
}

const WIDTH = 760;
const STEP_WORDS: Record<UploadStep['at'], string> = {
  choose: 'Step 1 of 3',
  reading: 'Step 2 of 3',
  preview: 'Step 2 of 3',
  storing: 'Step 3 of 3',
  result: 'Step 3 of 3',
};

/** The upload in three steps, earlier imports, and undoing one of them. */
export function UploadDialog({ teamId, opened, dropped, onClose, onBusy, onChanged }: UploadDialogProps) {
  const upload = useUploadSession({ teamId, dropped, onChanged });
  const { session, step } = upload;
  const [undoTarget, setUndoTarget] = useState<Import | null>(null);
  const [undone, setUndone] = useState('');
  const isStoring = step.at === 'storing';
  const leaving = useDiscardPrompt(isStoring);
  useEffect(() => onBusy(isStoring), [isStoring, onBusy]);
  useEffect(() => {
    if (step.at === 'reading') setUndone('');
  }, [step.at]);
  const close = () => {
    session.reset();
    onClose();
  };
  const back = () => {
    setUndone('');
    session.reset();
  };
  const isRunning = isStoring || step.at === 'reading';
  return (
    <>
      <Dialog
        opened={opened}
        onClose={close}
        title="Upload CSV"
        width={WIDTH}
        returnFocus={false}
        closable={!isRunning && undoTarget === null && !leaving.isConfirming}
      >
        <Text role="status" pos="absolute" top={26} right={24} c="dimmed" fz="0.8125rem">
          {undone === '' ? STEP_WORDS[step.at] : 'Undo'}
        </Text>
        {undone !== '' ? (
          <UndoProgress teamId={teamId} importId={undone} onChanged={onChanged} onBack={back} onDone={close} />
        ) : (
          <CurrentStep teamId={teamId} upload={upload} onUndo={setUndoTarget} onShowUndo={setUndone} onClose={close} />
        )}
      </Dialog>
      <UndoConfirm teamId={teamId} imported={undoTarget} onClose={() => setUndoTarget(null)} onUndoing={setUndone} />
      <ConfirmDialog
        opened={leaving.isConfirming}
        title="Stop the upload"
        question="Leave while the upload is running?"
        detail="The upload will stop. Rows already imported stay, and you can undo them under Recent imports."
        confirmLabel="Stop and leave"
        danger
        returnFocus={isStoring}
        onClose={leaving.stay}
        onConfirm={() => leaving.leave(session.cancel)}
      />
    </>
  );
}

interface StepProps {
  teamId: string;
  upload: ReturnType<typeof useUploadSession>;
  onUndo: (imported: Import) => void;
  onShowUndo: (importId: string) => void;
  onClose: () => void;
}

function CurrentStep({ teamId, upload, onUndo, onShowUndo, onClose }: StepProps) {
  const { session, step, choose, note } = upload;
  switch (step.at) {
    case 'choose': {
      const files = { onFiles: choose, onRetry: session.again };
      const imports = { onUndo, onShowUndo };
      return <ChooseStep teamId={teamId} step={step} note={note} {...files} {...imports} onClose={onClose} />;
    }
    case 'reading':
      return <ReadingStep step={step} onCancel={session.cancel} />;
    case 'preview':
      return <PreviewStep step={step} note={note} session={session} />;
    case 'storing':
      return <StoringStep step={step} session={session} />;
    case 'result':
      return <ResultStep step={step} onUndo={onUndo} onDone={onClose} />;
  }
}
