import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FileDrop } from '#platform/files/file-drop.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import type { UploadError, UploadStep } from '../session/upload-session.ts';
import type { Upload } from '../session/use-upload.ts';
import { Step, StepButtons, StepError, StepHeading } from './upload-step.tsx';

interface ChooseStepProps {
  step: UploadStep & { at: 'choose' };
  upload: Upload;
  format: ReactNode;
  /** Additional content of this step, such as earlier imports. */
  children?: ReactNode;
  onClose: () => void;
}

export function ChooseStep({ step, upload, format, children, onClose }: ChooseStepProps) {
  const { fileName, fault } = step;
  const { choose, note, session } = upload;
  return (
    <Step>
      <StepHeading text="You’ll review all changes before anything is imported.">Choose a file</StepHeading>
      {fault !== null && <FileErrorNotice fileName={fileName} fault={fault} note={note} onRetry={session.again} />}
      <FileDrop
        label="Choose a CSV file"
        hint="or drop it anywhere on this page"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onFiles={choose}
      />
      <Text c="dimmed" fz="0.8125rem">
        {format}
      </Text>
      {children}
      <StepButtons>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </StepButtons>
    </Step>
  );
}

export function ColumnName({ children }: { children: ReactNode }) {
  return (
    <Text component="strong" inherit fw={500} c="var(--mantine-color-text)">
      {children}
    </Text>
  );
}

interface FileErrorNoticeProps {
  fileName: string;
  fault: UploadError;
  note: string;
  onRetry: () => void;
}

/** The reason why the chosen file can't be previewed. */
function FileErrorNotice({ fileName, fault, note, onRetry }: FileErrorNoticeProps) {
  const retry = <RowButton onClick={onRetry}>Retry</RowButton>;
  return (
    <StepError title={fault.message} buttons={fault.canRetry && retry}>
      {fault.hint !== undefined && <Text>{fault.hint}</Text>}
      <Text c="dimmed" fz="0.8125rem">
        File: <bdi>{fileName}</bdi>
        {note !== '' && <>. {note}</>}
      </Text>
    </StepError>
  );
}
