import { Button } from '@mantine/core';
import type { Import } from '@steward/contract/directory';
import { FileLink } from '#platform/files/file-link.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { ERROR_CSV_LINK, errorCsvName } from './upload/upload-screen.ts';
import { getError, type UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { Counts } from './upload-counts.tsx';
import { StepHeading } from './upload-heading.tsx';
import { formatCount } from './upload-text.ts';

type Result = UploadStep & { at: 'result' };

interface ResultStepProps {
  step: Result;
  onUndo: (imported: Import) => void;
  onDone: () => void;
}

/** How the upload ended: what was stored, and the rows to mend. */
export function ResultStep({ step, onUndo, onDone }: ResultStepProps) {
  const { fileName, end } = step;
  const { imported, errorCsv } = end;
  const isWhole = !end.cancelled && errorCsv === null;
  return (
    <div className={classes.step}>
      <div className={classes.outcome} data-good={isWhole || undefined}>
        <Icon name={isWhole ? 'check' : 'warning'} size={20} />
        <StepHeading
          text={
            <>
              File: <bdi>{fileName}</bdi>
            </>
          }
        >
          {getTitle(step)}
        </StepHeading>
      </div>
      {end.cancelled && <Unfinished step={step} />}
      {end.tally.rows > 0 && <Counts counts={getCounts(end.tally)} />}
      {errorCsv !== null && (
        <p className={classes.wrong}>
          Mend the rows in this file and upload it again; each has its reason in the column Error.{' '}
          <FileLink file={errorCsv} fileName={errorCsvName()}>
            {ERROR_CSV_LINK}
          </FileLink>
        </p>
      )}
      {imported === undefined && end.tally.rows > 0 && (
        <p className={classes.text}>
          The server could not be told that the upload has ended; it will notice by itself.
        </p>
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

function getTitle({ end }: Result): string {
  if (end.fault !== undefined) return 'The upload could not be finished';
  if (end.cancelled) return 'The upload was cancelled';
  return end.errorCsv === null ? 'CSV uploaded successfully' : 'Some of records were not added';
}

function Unfinished({ step: { total, end } }: { step: Result }) {
  const { rows } = end.tally;
  const rest = formatCount(total - rows, 'row');
  return (
    <p className={classes.text}>
      {end.fault !== undefined && <>{getError(end.fault).message} </>}
      {rows === 0
        ? 'Nothing was stored.'
        : `The first ${formatCount(rows, 'row')} of the file ${rows === 1 ? 'was' : 'were'} looked at and stored as below; ${rest} were not.`}
    </p>
  );
}

function getCounts(tally: Result['end']['tally']) {
  return [
    ['Added', tally.created],
    ['Changed', tally.changed],
    ['Unchanged', tally.unchanged],
    ['Not added', tally.failed],
  ] as const;
}
