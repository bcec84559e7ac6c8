import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Import, ImportState, KeptEntry } from '@steward/contract/directory';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Counts, Step, StepButtons, StepHeading } from '#platform/upload/steps/upload-step.tsx';
import { formatCount } from '#platform/upload/steps/upload-text.ts';
import { importName } from './imports-list.tsx';
import { importQueryOptions, keptEntriesQueryOptions } from './upload.queries.ts';

interface UndoProgressProps {
  teamId: string;
  importId: string;
  onChanged: () => void;
  onBack: () => void;
  onDone: () => void;
}

export function UndoProgress({ teamId, importId, onChanged, onBack, onDone }: UndoProgressProps) {
  const { data: imported, error, refetch } = useQuery(importQueryOptions(teamId, importId));
  useNotifyWhenFinished(imported?.state, onChanged);
  return (
    <Step>
      {imported === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {imported === undefined && error === null && <Skeletons rows={3} />}
      {imported !== undefined && <Undone key={imported.state} teamId={teamId} imported={imported} />}
      <StepButtons>
        <Button variant="default" onClick={onBack}>
          Back to uploads
        </Button>
        <Button onClick={onDone}>Done</Button>
      </StepButtons>
    </Step>
  );
}

/** Refreshes the list behind the dialog when the undo ends or continues in the background. */
function useNotifyWhenFinished(state: ImportState | undefined, onChanged: () => void): void {
  const latest = useRef({ state, onChanged });
  useEffect(() => {
    latest.current = { state, onChanged };
  });
  useEffect(() => {
    if (state === 'undone') latest.current.onChanged();
  }, [state]);
  useEffect(
    () => () => {
      if (latest.current.state === 'undoing') latest.current.onChanged();
    },
    [],
  );
}

function Undone({ teamId, imported }: { teamId: string; imported: Import }) {
  const undo = imported.undo ?? { removed: 0, restored: 0, kept: 0 };
  const done = undo.removed + undo.restored + undo.kept;
  const total = imported.created + imported.changed;
  const isRunning = imported.state !== 'undone';
  const counts = [
    ['Removed', undo.removed],
    ['Restored', undo.restored],
    ['Kept', undo.kept],
  ] as const;
  return (
    <>
      <StepHeading
        text={
          <>
            File: <bdi>{importName(imported)}</bdi>
          </>
        }
      >
        {isRunning ? 'Undoing this import' : 'Import undone'}
      </StepHeading>
      {isRunning ? (
        <>
          <ProgressBar
            label="Undoing the import"
            value={done}
            max={total}
            text={`${formatNumber(done)} of ${formatCount(total, 'entry', 'entries')}`}
          />
          <Text c="dimmed">This continues in the background. You can leave this page.</Text>
        </>
      ) : (
        <Counts counts={counts} />
      )}
      {!isRunning && undo.kept > 0 && <KeptEntries teamId={teamId} importId={imported.id} kept={undo.kept} />}
    </>
  );
}

const REASONS: Record<KeptEntry['reason'], string> = { edited: 'edited later', deleted: 'deleted later' };

function KeptEntries({ teamId, importId, kept }: { teamId: string; importId: string; kept: number }) {
  const { data, error, refetch } = useQuery(keptEntriesQueryOptions(teamId, importId));
  const more = data === undefined ? 0 : kept - data.records.length;
  return (
    <Stack component="section" gap={8} miw={0} aria-label="Entries that were kept">
      <Title order={4} fz="0.8125rem">
        Not undone because they were edited or deleted later
      </Title>
      {data === undefined && error === null && <Skeletons rows={2} height={24} />}
      {error !== null && (
        <Text c="dimmed" fz="0.8125rem" role="alert">
          Couldn’t load these entries: {getFailureMessage(error)}{' '}
          <RowButton onClick={() => void refetch()}>Retry</RowButton>
        </Text>
      )}
      {data !== undefined && (
        <Box
          component="ul"
          tabIndex={0}
          m={0}
          p={0}
          mah={240}
          bd="1px solid var(--hairline)"
          bdrs="md"
          style={{ overflowY: 'auto', listStyle: 'none' }}
        >
          {data.records.map(({ id, name, reason }) => (
            <Group component="li" key={id} gap="sm" px="sm" py={6} justify="space-between" wrap="nowrap">
              <Text component="bdi" truncate title={name}>
                {name}
              </Text>
              <Text span c="dimmed" fz="0.8125rem" flex="none">
                {REASONS[reason]}
              </Text>
            </Group>
          ))}
        </Box>
      )}
      {more > 0 && (
        <Text c="dimmed" fz="0.8125rem">
          and {formatNumber(more)} more
        </Text>
      )}
    </Stack>
  );
}
