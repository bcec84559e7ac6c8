import { Button, Text } from '@mantine/core';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { formatNumber } from '#platform/time/format.ts';
import type { UploadSession, UploadStep } from '../session/upload-session.ts';
import { Step, StepButtons, StepError, StepHeading } from './upload-step.tsx';
import { formatBytes, formatCount } from './upload-text.ts';

/** Shown between choosing and reviewing, while the file is read and the server previews each row. */
export function ReadingStep({ step, onCancel }: { step: UploadStep & { at: 'reading' }; onCancel: () => void }) {
  const { fileName, read, size, rows } = step;
  return (
    <Step>
      <StepHeading text="Nothing has been imported yet.">
        Reading <bdi>{fileName}</bdi>
      </StepHeading>
      <ProgressBar
        label="Reading the file"
        value={read}
        max={size}
        text={`${formatBytes(read, size)}, ${formatCount(rows, 'row')}`}
      />
      <StepButtons>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </StepButtons>
    </Step>
  );
}

interface StoringStepProps {
  step: UploadStep & { at: 'storing' };
  session: UploadSession;
}

export function StoringStep({ step, session }: StoringStepProps) {
  const { fileName, total, tally, trouble, isStopping } = step;
  const isTroubled = trouble !== undefined;
  return (
    <Step>
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
        <StepButtons>
          <Button variant="default" loading={isStopping} onClick={session.cancel}>
            Cancel
          </Button>
        </StepButtons>
      )}
    </Step>
  );
}

/** A request failed after its retries. The server knows what is stored, so continuing adds nothing twice. */
function Trouble({ failure, session }: { failure: unknown; session: UploadSession }) {
  const buttons = (
    <>
      <RowButton onClick={() => session.decide('stop')}>Stop</RowButton>
      <Button size="compact-sm" onClick={() => session.decide('retry')}>
        Retry
      </Button>
    </>
  );
  return (
    <StepError title={`Upload paused: ${getFailureMessage(failure)}`} buttons={buttons}>
      <Text>Retry to continue where it left off, or stop and keep the rows already imported.</Text>
    </StepError>
  );
}
