import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FileLink } from '#platform/files/file-link.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { OUTCOMES } from '../session/upload-kind.ts';
import { getError, type UploadStep } from '../session/upload-session.ts';
import { Counts, Step, StepButtons, StepHeading } from './upload-step.tsx';
import { ERROR_CSV_LINK, formatCount } from './upload-text.ts';
import type { UploadView } from './upload-view.ts';

type Result = UploadStep & { at: 'result' };

interface ResultStepProps {
  step: Result;
  view: UploadView;
  children?: ReactNode;
  buttons?: ReactNode;
  onDone: () => void;
}

export function ResultStep({ step, view, children, buttons, onDone }: ResultStepProps) {
  const { fileName, end } = step;
  const { errorCsv } = end;
  const isWhole = !end.cancelled && errorCsv === null;
  const isProblem = errorCsv !== null || end.fault !== undefined;
  return (
    <Step>
      <Group gap={10} wrap="nowrap" align="flex-start" role={isProblem ? 'alert' : undefined}>
        <Text span c={isWhole ? 'var(--success)' : 'var(--warning)'} lh={1} flex="none">
          <Icon name={isWhole ? 'check' : 'warning'} size={20} />
        </Text>
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
          {errorCsv !== null && <ErrorCsvLink file={errorCsv} fileName={view.errorCsvName()} />}
        </div>
      </Group>
      {end.cancelled && <Unfinished step={step} />}
      {end.tally.rows > 0 && <Counts counts={OUTCOMES.map((name) => [view.results[name], end.tally[name]] as const)} />}
      {children}
      <StepButtons>
        {buttons}
        <Button onClick={onDone}>Done</Button>
      </StepButtons>
    </Step>
  );
}

function ErrorCsvLink({ file, fileName }: { file: Blob; fileName: string }) {
  return (
    <Text>
      Fix the rows in this file (see its Error column) and upload it again.{' '}
      <FileLink file={file} fileName={fileName}>
        {ERROR_CSV_LINK}
      </FileLink>
    </Text>
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
    <Text c="dimmed">
      {end.fault !== undefined && <>{getError(end.fault).message} </>}
      {rows === 0
        ? 'Nothing was imported.'
        : `The first ${formatCount(rows, 'row')} of the file ${rows === 1 ? 'was' : 'were'} processed; ${rest} ${total - rows === 1 ? 'was' : 'were'} not.`}
    </Text>
  );
}
