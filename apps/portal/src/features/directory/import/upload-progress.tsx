import { Button } from '@mantine/core';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { Icon } from '#platform/page/icon.tsx';
import type { UploadSession, UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { StepHeading } from './upload-heading.tsx';
import { formatBytes, formatCount, formatNumber } from './upload-text.ts';

/** Between choosing and reviewing: reads the file and asks the server what each row would do. */
export function ReadingStep({ step, onCancel }: { step: UploadStep & { at: 'reading' }; onCancel: () => void }) {
  const { fileName, read, size, rows } = step;
  return (
    <div className={classes.step}>
      <StepHeading text="Nothing has been imported yet.">
        Reading <bdi>{fileName}</bdi>
      </StepHeading>
      <ProgressBar
        label="Reading the file"
        value={read}
        max={size}
        text={`${formatBytes(read, size)}, ${formatCount(rows, 'row')}`}
      />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

interface StoringStepProps {
  step: UploadStep & { at: 'storing' };
  session: UploadSession;
}

/** Step 3: stores the rows. */
export function StoringStep({ step, session }: StoringStepProps) {
  const { fileName, total, tally, trouble, isStopping } = step;
  const isTroubled = trouble !== undefined;
  return (
    <div className={classes.step}>
      <StepHeading text="Keep this page open until the upload is complete.">
        Uploading <bdi>{fileName}</bdi>
      </StepHeading>
      <ProgressBar
        label="Uploading the rows"
        value={tally.rows}
        max={total}
        text={`${formatNumber(tally.rows)} of ${formatCount(total, 'row')}`}
      />
      {isTroubled && <Trouble failure={trouble} session={session} />}
      {!isTroubled && (
        <div className={classes.buttons}>
          <Button variant="default" loading={isStopping} onClick={session.cancel}>
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}

/** A request failed after its retries. The server knows what is stored, so continuing adds nothing twice. */
function Trouble({ failure, session }: { failure: unknown; session: UploadSession }) {
  return (
    <div className={classes.fault} role="alert">
      <span className={classes.faultMark}>
        <Icon name="warning" />
      </span>
      <div className={classes.faultWords}>
        <p className={classes.faultTitle}>Upload paused: {getFailureMessage(failure)}</p>
        <p>Retry to continue where it left off, or stop and keep the rows already imported.</p>
      </div>
      <div className={classes.faultButtons}>
        <Button size="compact-sm" variant="default" onClick={() => session.decide('stop')}>
          Stop
        </Button>
        <Button size="compact-sm" onClick={() => session.decide('retry')}>
          Retry
        </Button>
      </div>
    </div>
  );
}
