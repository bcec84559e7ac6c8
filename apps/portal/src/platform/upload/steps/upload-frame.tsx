import { Text } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import type { UploadStep } from '../session/upload-session.ts';
import type { Upload } from '../session/use-upload.ts';

interface UploadFrameProps extends DialogControls {
  upload: Upload;
  title: string;
  /** Set if the dialog is not at a step of the upload. */
  place?: string;
  /** Set to false while a question is open over the dialog. */
  closable?: boolean;
  /** Says what leaving does while rows are being stored. */
  leaveDetail: string;
  onBusy: (isBusy: boolean) => void;
  children: ReactNode;
}

const WIDTH = 760;
const STEP_WORDS: Record<UploadStep['at'], string> = {
  choose: 'Step 1 of 3',
  reading: 'Step 2 of 3',
  preview: 'Step 2 of 3',
  storing: 'Step 3 of 3',
  result: 'Step 3 of 3',
};

/** The dialog of an upload: it stays open while rows are being stored, and asks before the page is left. */
export function UploadFrame(props: UploadFrameProps) {
  const { upload, opened, title, place, closable = true, leaveDetail, onClose, onBusy, children } = props;
  const { session, step } = upload;
  const isStoring = step.at === 'storing';
  const leaving = useDiscardPrompt(isStoring);
  useEffect(() => onBusy(isStoring), [isStoring, onBusy]);
  const isRunning = isStoring || step.at === 'reading';
  return (
    <>
      <Dialog
        opened={opened}
        onClose={onClose}
        title={title}
        width={WIDTH}
        returnFocus={false}
        closable={!isRunning && closable && !leaving.isConfirming}
      >
        <Text role="status" pos="absolute" top={26} right={24} c="dimmed" fz="0.8125rem">
          {place ?? STEP_WORDS[step.at]}
        </Text>
        {children}
      </Dialog>
      <ConfirmDialog
        opened={leaving.isConfirming}
        title="Stop the upload"
        question="Leave while the upload is running?"
        detail={leaveDetail}
        confirmLabel="Stop and leave"
        danger
        returnFocus={isStoring}
        onClose={leaving.stay}
        onConfirm={() => leaving.leave(session.cancel)}
      />
    </>
  );
}
