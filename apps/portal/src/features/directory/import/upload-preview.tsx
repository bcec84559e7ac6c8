import '@mantine/core/styles/Alert.layer.css';
import '@mantine/core/styles/Flex.layer.css';
import '@mantine/core/styles/List.layer.css';
import '@mantine/core/styles/SimpleGrid.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Alert, Button, Flex, List, SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import type { Outcome } from '@steward/contract/directory';
import { useState } from 'react';
import { FileLink } from '#platform/files/file-link.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { ERROR_CSV_LINK, errorCsvName } from './upload/upload-screen.ts';
import type { UploadSession, UploadStep } from './upload/upload-session.ts';
import classes from './upload.module.css';
import { UploadSamples } from './upload-samples.tsx';
import { Step, StepButtons, StepHeading } from './upload-step.tsx';
import { formatCount, formatReading, listNotes, OUTCOME_COLORS, OUTCOME_WORDS } from './upload-text.ts';

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
    <Step>
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
      {note !== '' && <Text c="dimmed">{note}</Text>}
      <Tiles counts={forecast.counts} filter={filter} onFilter={setFilter} />
      {notes.length > 0 && (
        <Alert bg="var(--warning-soft)" px="sm" py={10} role="note">
          <List fz="0.8125rem" c="var(--warning)" spacing={4}>
            {notes.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {forecast.errorCsv !== null && <WrongRows forecast={forecast} errorCsv={forecast.errorCsv} />}
      <UploadSamples forecast={forecast} filter={filter} />
      <Buttons forecast={forecast} session={session} />
    </Step>
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
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing={8} role="group" aria-label="Show the rows that are">
      {OUTCOMES.map((outcome) => (
        <UnstyledButton
          key={outcome}
          className={classes.tile ?? ''}
          px={{ base: 'sm', sm: 14 }}
          py={{ base: 8, sm: 'sm' }}
          aria-pressed={filter === outcome}
          onClick={() => onFilter(filter === outcome ? 'first' : outcome)}
        >
          <Flex
            direction={{ base: 'row', sm: 'column' }}
            align={{ base: 'baseline', sm: 'flex-start' }}
            gap={{ base: 8, sm: 2 }}
          >
            <Text
              span
              className="figures"
              fz="1.25rem"
              fw={600}
              lh={1.3}
              {...(counts[outcome] > 0 && { c: OUTCOME_COLORS[outcome] })}
            >
              {formatNumber(counts[outcome])}
            </Text>
            <Text span fz="0.8125rem" c={filter === outcome ? 'inherit' : 'dimmed'}>
              {OUTCOME_WORDS[outcome]}
            </Text>
          </Flex>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  );
}

function WrongRows({ forecast, errorCsv }: { forecast: Preview['forecast']; errorCsv: Blob }) {
  const { failed } = forecast.counts;
  return (
    <Text>
      {failed === 1
        ? '1 row has errors and will be skipped.'
        : `${formatNumber(failed)} rows have errors and will be skipped.`}{' '}
      <FileLink file={errorCsv} fileName={errorCsvName()}>
        {ERROR_CSV_LINK}
      </FileLink>
    </Text>
  );
}

function Buttons({ forecast, session }: { forecast: Preview['forecast']; session: UploadSession }) {
  const { created, changed, failed } = forecast.counts;
  const count = created + changed;
  return (
    <StepButtons>
      {count === 0 && (
        <Text c="dimmed" flex="1 1 200px">
          {failed === forecast.rows
            ? 'No row of this file can be imported.'
            : 'Nothing to import: all rows are already in the directory.'}
        </Text>
      )}
      <Button variant="default" onClick={session.reset}>
        Choose another file
      </Button>
      <Button disabled={count === 0} onClick={session.store}>
        Upload {formatCount(count, 'row')}
      </Button>
    </StepButtons>
  );
}
