import { Button } from '@mantine/core';
import type { Outcome } from '@steward/contract/directory';
import { useState } from 'react';
import { FileLink } from '#platform/files/file-link.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { ERROR_CSV_LINK, errorCsvName } from './upload/upload-screen.ts';
import type { UploadSession, UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { StepHeading } from './upload-heading.tsx';
import { UploadSamples } from './upload-samples.tsx';
import { formatCount, formatNumber, formatReading, listNotes, OUTCOME_WORDS } from './upload-text.ts';

type Preview = UploadStep & { at: 'preview' };

interface PreviewStepProps {
  step: Preview;
  note: string;
  session: UploadSession;
}

/** Step 2: review the changes before anything is stored. */
export function PreviewStep({ step, note, session }: PreviewStepProps) {
  const { fileName, file, forecast } = step;
  const [filter, setFilter] = useState<Outcome | 'first'>('first');
  const notes = listNotes(step);
  return (
    <div className={classes.step}>
      <StepHeading
        text={
          <>
            {formatCount(forecast.rows, 'row')} in <bdi>{fileName}</bdi>, read as {formatReading(file)}. Nothing has
            been imported yet.
          </>
        }
      >
        Review changes
      </StepHeading>
      {note !== '' && <p className={classes.text}>{note}</p>}
      <Tiles counts={forecast.counts} filter={filter} onFilter={setFilter} />
      {notes.length > 0 && (
        <ul className={classes.notes}>
          {notes.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {forecast.errorCsv !== null && <WrongRows forecast={forecast} errorCsv={forecast.errorCsv} />}
      <UploadSamples forecast={forecast} filter={filter} />
      <Buttons forecast={forecast} session={session} />
    </div>
  );
}

const OUTCOMES = ['created', 'changed', 'unchanged', 'failed'] as const;

interface TilesProps {
  counts: Record<Outcome, number>;
  filter: Outcome | 'first';
  onFilter: (filter: Outcome | 'first') => void;
}

/** Counts by outcome; selecting one shows its rows, selecting it again shows the first rows of the file. */
function Tiles({ counts, filter, onFilter }: TilesProps) {
  return (
    <fieldset className={classes.tiles}>
      <legend className={hidden.unseen}>Show the rows that are</legend>
      {OUTCOMES.map((outcome) => (
        <button
          key={outcome}
          type="button"
          className={classes.tile}
          data-outcome={counts[outcome] > 0 ? outcome : undefined}
          aria-pressed={filter === outcome}
          onClick={() => onFilter(filter === outcome ? 'first' : outcome)}
        >
          <span className={classes.tileCount}>{formatNumber(counts[outcome])}</span>
          <span className={classes.tileWord}>{OUTCOME_WORDS[outcome]}</span>
        </button>
      ))}
    </fieldset>
  );
}

function WrongRows({ forecast, errorCsv }: { forecast: Preview['forecast']; errorCsv: Blob }) {
  const { failed } = forecast.counts;
  return (
    <p className={classes.wrong}>
      {failed === 1
        ? '1 row has errors and will be skipped.'
        : `${formatNumber(failed)} rows have errors and will be skipped.`}{' '}
      <FileLink file={errorCsv} fileName={errorCsvName()}>
        {ERROR_CSV_LINK}
      </FileLink>
    </p>
  );
}

function Buttons({ forecast, session }: { forecast: Preview['forecast']; session: UploadSession }) {
  const { created, changed, failed } = forecast.counts;
  const count = created + changed;
  return (
    <div className={classes.buttons}>
      {count === 0 && (
        <p className={classes.reason}>
          {failed === forecast.rows
            ? 'No row of this file can be imported.'
            : 'Nothing to import: all rows are already in the directory.'}
        </p>
      )}
      <Button variant="default" onClick={session.reset}>
        Choose another file
      </Button>
      <Button disabled={count === 0} onClick={session.store}>
        Upload {formatCount(count, 'row')}
      </Button>
    </div>
  );
}
