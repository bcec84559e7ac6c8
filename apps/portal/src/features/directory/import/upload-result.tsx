import { Button } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { FileLink } from '#platform/files/file-link.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { ERROR_CSV_LINK, errorCsvName } from './upload/upload-screen.ts';
import { getError, type UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { Counts } from './upload-counts.tsx';
import { StepHeading } from './upload-heading.tsx';
import { formatCount, formatNumber } from './upload-text.ts';

type Result = UploadStep & { at: 'result' };

interface ResultStepProps {
  step: Result;
  onUndo: (imported: Import) => void;
  onDone: () => void;
}

/** How the upload ended: what was imported, and the rows to fix. */
export function ResultStep({ step, onUndo, onDone }: ResultStepProps) {
  const { fileName, end } = step;
  const { imported, errorCsv } = end;
  const isWhole = !end.cancelled && errorCsv === null;
  const isProblem = errorCsv !== null || end.fault !== undefined;
  return (
    <div className={classes.step}>
      <div className={classes.outcome} data-good={isWhole || undefined} role={isProblem ? 'alert' : undefined}>
        <Icon name={isWhole ? 'check' : 'warning'} size={20} />
        <div>
          <StepHeading
            text={
              <>
                {isWhole ? 'File: ' : `${formatImported(step)} imported from `}
                <bdi>{fileName}</bdi>
              </>
            }
          >
            {getTitle(step)}
          </StepHeading>
          {errorCsv !== null && <ErrorCsvLink file={errorCsv} />}
        </div>
      </div>
      {end.cancelled && <Unfinished step={step} />}
      {end.tally.rows > 0 && <Counts counts={getCounts(end.tally)} />}
      {imported === undefined && end.tally.rows > 0 && (
        <p className={classes.text}>We couldn’t confirm the upload with the server. No action is needed.</p>
      )}
      <div className={classes.buttons}>
        {imported !== undefined && imported.undo_until > 0 && (
          <Button variant="default" leftSection={<Icon name="undo" size={16} />} onClick={() => onUndo(imported)}>
            Undo this import
          </Button>
        )}
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

function ErrorCsvLink({ file }: { file: Blob }) {
  return (
    <p className={classes.wrong}>
      Fix the rows in this file (see its Error column) and upload it again.{' '}
      <FileLink file={file} fileName={errorCsvName()}>
        {ERROR_CSV_LINK}
      </FileLink>
    </p>
  );
}

function getTitle({ end }: Result): string {
  if (end.fault !== undefined) return 'The upload couldn’t be completed';
  if (end.cancelled) return 'Upload canceled';
  return end.errorCsv === null ? 'CSV uploaded successfully' : 'Some of records were not added';
}

function formatImported({ total, end: { tally } }: Result): string {
  return `${formatNumber(tally.rows - tally.failed)} of ${formatCount(total, 'row')}`;
}

function Unfinished({ step: { total, end } }: { step: Result }) {
  const { rows } = end.tally;
  const rest = formatCount(total - rows, 'row');
  return (
    <p className={classes.text}>
      {end.fault !== undefined && <>{getError(end.fault).message} </>}
      {rows === 0
        ? 'Nothing was imported.'
        : `The first ${formatCount(rows, 'row')} of the file ${rows === 1 ? 'was' : 'were'} processed; ${rest} ${total - rows === 1 ? 'was' : 'were'} not.`}
    </p>
  );
}

function getCounts(tally: Result['end']['tally']) {
  return [
    ['Added', tally.created],
    ['Updated', tally.changed],
    ['Unchanged', tally.unchanged],
    ['Not added', tally.failed],
  ] as const;
}
