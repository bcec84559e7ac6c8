import '@mantine/core/styles/Text.layer.css';
import { Button, Text } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import type { ReactNode } from 'react';
import { FileDrop } from '#platform/files/file-drop.tsx';
import { RecentImports } from './history/imports-list.tsx';
import type { UploadError, UploadStep } from './upload/upload-session.ts';
import { Step, StepButtons, StepError, StepHeading } from './upload-step.tsx';

interface ChooseStepProps {
  teamId: string;
  step: UploadStep & { at: 'choose' };
  note: string;
  onFiles: (files: readonly File[]) => void;
  onRetry: () => void;
  onUndo: (imported: Import) => void;
  onShowUndo: (importId: string) => void;
  onClose: () => void;
}

/** Step 1: choose a file, or see earlier imports. */
export function ChooseStep({ teamId, step, note, onFiles, onRetry, onUndo, onShowUndo, onClose }: ChooseStepProps) {
  const { fileName, fault } = step;
  return (
    <Step>
      <StepHeading text="You’ll review all changes before anything is imported.">Choose a file</StepHeading>
      {fault !== null && <FileErrorNotice fileName={fileName} fault={fault} note={note} onRetry={onRetry} />}
      <FileDrop
        label="Choose a CSV file"
        hint="or drop it anywhere on this page"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onFiles={onFiles}
      />
      <Text c="dimmed" fz="0.8125rem">
        The file has the columns <ColumnName>Id</ColumnName>, <ColumnName>Name</ColumnName>,{' '}
        <ColumnName>Phone Number</ColumnName>, <ColumnName>Sms</ColumnName> and <ColumnName>Email</ColumnName>. Rows
        with an Id update that entry; rows without one add a new entry. Start from Download CSV to get the right format.
      </Text>
      <RecentImports teamId={teamId} onUndo={onUndo} onShowUndo={onShowUndo} />
      <StepButtons>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </StepButtons>
    </Step>
  );
}

function ColumnName({ children }: { children: ReactNode }) {
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

/** Why the chosen file can't be previewed. */
function FileErrorNotice({ fileName, fault, note, onRetry }: FileErrorNoticeProps) {
  const retry = (
    <Button size="compact-sm" variant="default" onClick={onRetry}>
      Retry
    </Button>
  );
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
