import { Button } from '@mantine/core';
import type { Import, ImportState, KeptEntry } from '@steward/contract/directory';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { importQueryOptions, keptEntriesQueryOptions } from '../upload/upload.queries.ts';
import steps from '../upload.module.css';
import { Counts } from '../upload-counts.tsx';
import { StepHeading } from '../upload-heading.tsx';
import { formatCount, formatNumber } from '../upload-text.ts';
import classes from './imports.module.css';
import { importName } from './imports-list.tsx';

interface UndoProgressProps {
  teamId: string;
  importId: string;
  onChanged: () => void;
  onBack: () => void;
  onDone: () => void;
}

/** Progress of undoing an import, and the entries it didn't change. */
export function UndoProgress({ teamId, importId, onChanged, onBack, onDone }: UndoProgressProps) {
  const { data: imported, error, refetch } = useQuery(importQueryOptions(teamId, importId));
  useNotifyWhenFinished(imported?.state, onChanged);
  return (
    <div className={steps.step}>
      {imported === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {imported === undefined && error === null && <Skeletons rows={3} />}
      {imported !== undefined && <Undone key={imported.state} teamId={teamId} imported={imported} />}
      <div className={steps.buttons}>
        <Button variant="default" onClick={onBack}>
          Back to uploads
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
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
          <p className={steps.text}>This continues in the background. You can leave this page.</p>
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
    <section className={classes.imports} aria-label="Entries that were kept">
      <h4 className={classes.title}>Not undone because they were edited or deleted later</h4>
      {data === undefined && error === null && <Skeletons rows={2} height={24} />}
      {error !== null && (
        <p className={classes.quiet} role="alert">
          Couldn’t load these entries: {getFailureMessage(error)}{' '}
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
        </p>
      )}
      {data !== undefined && (
        <ul className={classes.kept}>
          {data.records.map(({ id, name, reason }) => (
            <li key={id}>
              <bdi title={name}>{name}</bdi>
              <span className={classes.reason}>{REASONS[reason]}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className={classes.quiet}>and {formatNumber(more)} more</p>}
    </section>
  );
}
