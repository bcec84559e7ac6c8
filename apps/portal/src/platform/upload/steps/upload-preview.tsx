import { Alert, Button, Flex, Group, List, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { ENCODINGS, type EncodingName } from '#platform/csv/csv-encodings.ts';
import { FileLink } from '#platform/files/file-link.tsx';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { type IfExists, OUTCOMES, type Outcome } from '../session/upload-kind.ts';
import { isRereading, type Rereading, type UploadSession, type UploadStep } from '../session/upload-session.ts';
import classes from './upload.module.css';
import { UploadSamples } from './upload-samples.tsx';
import { Step, StepButtons, StepHeading } from './upload-step.tsx';
import { ERROR_CSV_LINK, formatCount, formatReading, formatWeakGuess, OUTCOME_COLORS } from './upload-text.ts';
import type { UploadView } from './upload-view.ts';

type Preview = UploadStep & { at: 'preview' };

interface PreviewStepProps {
  step: Preview;
  view: UploadView;
  note: string;
  /** The user should know these before confirming. */
  notes: readonly string[];
  session: UploadSession;
}

/** Step 2: review the changes before anything is stored. */
export function PreviewStep({ step, view, note, notes, session }: PreviewStepProps) {
  const { fileName, file, forecast } = step;
  const [filter, setFilter] = useState<Outcome | 'first'>('first');
  const all = file.isWeakGuess ? [formatWeakGuess(file.encoding), ...notes] : notes;
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
      <PreviewChoices step={step} view={view} session={session} />
      {note !== '' && <Text c="dimmed">{note}</Text>}
      <Tiles counts={forecast.counts} view={view} filter={filter} onFilter={setFilter} />
      {all.length > 0 && (
        <Alert bg="var(--warning-soft)" px="sm" py={10} role="note">
          <List fz="0.8125rem" c="var(--warning)" spacing={4}>
            {all.map((text) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {forecast.errorCsv !== null && (
        <WrongRows failed={forecast.counts.failed} file={forecast.errorCsv} fileName={view.errorCsvName()} />
      )}
      <UploadSamples forecast={forecast} view={view} filter={filter} />
      <Buttons step={step} view={view} session={session} />
    </Step>
  );
}

interface TilesProps {
  counts: Record<Outcome, number>;
  view: UploadView;
  filter: Outcome | 'first';
  onFilter: (filter: Outcome | 'first') => void;
}

/** Counts by outcome; selecting one shows its rows, selecting it again shows the first rows of the file. */
function Tiles({ counts, view, filter, onFilter }: TilesProps) {
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
              {view.outcomes[outcome]}
            </Text>
          </Flex>
        </UnstyledButton>
      ))}
    </SimpleGrid>
  );
}

function WrongRows({ failed, file, fileName }: { failed: number; file: Blob; fileName: string }) {
  return (
    <Text>
      {failed === 1
        ? '1 row has errors and will be skipped.'
        : `${formatNumber(failed)} rows have errors and will be skipped.`}{' '}
      <FileLink file={file} fileName={fileName}>
        {ERROR_CSV_LINK}
      </FileLink>
    </Text>
  );
}

interface ButtonsProps {
  step: Preview;
  view: UploadView;
  session: UploadSession;
}

function Buttons({ step, view, session }: ButtonsProps) {
  const { forecast } = step;
  const { created, changed, failed } = forecast.counts;
  const count = created + changed;
  return (
    <StepButtons>
      {count === 0 && (
        <Text c="dimmed" flex="1 1 200px">
          {failed === forecast.rows ? 'No row of this file can be imported.' : view.nothing}
        </Text>
      )}
      <Button variant="default" onClick={session.reset}>
        Choose another file
      </Button>
      <Button disabled={count === 0 || isRereading(step)} onClick={session.store}>
        {view.verb} {formatCount(count, 'row')}
      </Button>
    </StepButtons>
  );
}

const ENCODING_OPTIONS = ENCODINGS.map(({ name, languages }): { value: EncodingName; label: string } => ({
  value: name,
  label: languages === '' ? name : `${name} (${languages})`,
}));

const MATCH_OPTIONS: readonly { value: IfExists; label: string }[] = [
  { value: 'keep', label: 'Skip these rows' },
  { value: 'update', label: 'Update the entries' },
  { value: 'add', label: 'Add them anyway' },
];

interface PreviewChoicesProps {
  step: UploadStep & { at: 'preview' };
  view: UploadView;
  session: UploadSession;
}

/** The encoding of a file that isn't Unicode is a guess, and rows may match what was imported before. */
function PreviewChoices({ step, view, session }: PreviewChoicesProps) {
  const { file, forecast, rereading } = step;
  const choices = isRereading(step) && rereading !== null ? rereading.choices : step.choices;
  const { matches = 0 } = forecast.facts;
  return (
    <Stack gap={8}>
      <Group gap={8}>
        <Text span>Encoding</Text>
        <PickOne
          label="Encoding"
          className={undefined}
          options={ENCODING_OPTIONS}
          value={choices.encoding ?? file.encoding}
          onPick={(encoding) => session.change({ encoding })}
        />
        <Text role="status" flex="1 1 200px" fz="0.8125rem" c={rereading?.fault ? 'var(--danger)' : 'dimmed'}>
          {rereading !== null && describe(rereading)}
        </Text>
      </Group>
      {view.describeMatches !== undefined && matches > 0 && (
        <Group gap={8}>
          <Text span>{view.describeMatches(matches)}</Text>
          <PickOne
            label="Rows that match existing entries"
            className={undefined}
            options={MATCH_OPTIONS}
            value={choices.ifExists}
            onPick={(ifExists) => session.change({ ifExists })}
          />
        </Group>
      )}
    </Stack>
  );
}

function describe({ choices, fault }: Rereading): string {
  if (fault === null) return 'Reading the file again…';
  const reason = fault.hint ?? fault.message;
  return choices.encoding === undefined ? reason : `The file can’t be read as ${choices.encoding}. ${reason}`;
}
