import { Button } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { FileDrop } from '#platform/files/file-drop.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { RecentImports } from './history/imports-list.tsx';
import type { UploadError, UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { StepHeading } from './upload-heading.tsx';

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
    <div className={classes.step}>
      <StepHeading text="You’ll review all changes before anything is imported.">Choose a file</StepHeading>
      {fault !== null && <FileErrorNotice fileName={fileName} fault={fault} note={note} onRetry={onRetry} />}
      <FileDrop
        label="Choose a CSV file"
        hint="or drop it anywhere on this page"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onFiles={onFiles}
      />
      <div className={classes.help}>
        <p>
          The file has the columns <strong>Id</strong>, <strong>Name</strong>, <strong>Phone Number</strong>,{' '}
          <strong>Sms</strong> and <strong>Email</strong>. Rows with an Id update that entry; rows without one add a new
          entry. Start from Download CSV to get the right format.
        </p>
      </div>
      <RecentImports teamId={teamId} onUndo={onUndo} onShowUndo={onShowUndo} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
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
  return (
    <div className={classes.fault} role="alert">
      <span className={classes.faultMark}>
        <Icon name="warning" />
      </span>
      <div className={classes.faultWords}>
        <p className={classes.faultTitle}>{fault.message}</p>
        {fault.hint !== undefined && <p>{fault.hint}</p>}
        <p className={classes.quiet}>
          File: <bdi>{fileName}</bdi>
          {note !== '' && <>. {note}</>}
        </p>
      </div>
      {fault.canRetry && (
        <Button size="compact-sm" variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}
