import { Button, Loader } from '@mantine/core';
import type { KindRetention, StoredRetention } from '@steward/contract/retention';
import type { UseQueryResult } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { ignoreRepeat } from '#platform/dialogs/ignore-repeat.ts';
import classes from '../overview/overview.module.css';
import { KIND_WORDS } from '../retention-text.ts';
import { placeOf } from '../rules/groups.ts';
import { formatBytes, formatCount } from './format.ts';

interface RunNowDialogProps {
  opened: boolean;
  kinds: readonly KindRetention[];
  stored: Pick<UseQueryResult<{ records: readonly StoredRetention[] }>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Says what a run would delete now, kind by kind. Cancel has the focus, so a stray Enter does nothing. */
export function RunNowDialog({ opened, kinds, stored, pending, onClose, onConfirm }: RunNowDialogProps) {
  const overdue = stored.data?.records.filter((one) => one.overdue > 0) ?? [];
  const isKnown = !stored.isFetching && stored.error === null;
  const hasRule = kinds.some(({ cutoff }) => cutoff !== null);
  return (
    <Dialog opened={opened} onClose={onClose} title="Run now" width={480} closable={!pending}>
      {!hasRule && <p className={classes.text}>Every rule keeps everything, so there is nothing to run.</p>}
      {hasRule && stored.isFetching && (
        <p className={classes.runningHead} role="status">
          <Loader size={16} aria-hidden="true" /> Counting what is overdue…
        </p>
      )}
      {hasRule && !stored.isFetching && stored.error !== null && (
        <p className={classes.text} role="alert">
          What is overdue could not be counted: {getFailureMessage(stored.error)}
        </p>
      )}
      {hasRule && isKnown && overdue.length === 0 && (
        <p className={classes.text}>Nothing is overdue. A run would find nothing to delete.</p>
      )}
      {hasRule && isKnown && overdue.length > 0 && <Overdue overdue={overdue} />}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={pending} onClick={onClose}>
          {hasRule ? 'Cancel' : 'Close'}
        </Button>
        {hasRule && stored.error !== null && !stored.isFetching && (
          <Button onClick={() => void stored.refetch()}>Retry</Button>
        )}
        {hasRule && stored.error === null && (
          <Button
            {...(overdue.length > 0 && { color: 'red' })}
            disabled={!isKnown}
            loading={pending}
            onKeyDown={ignoreRepeat}
            onClick={onConfirm}
          >
            {isKnown && overdue.length === 0 ? 'Run all the same' : 'Delete now'}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function Overdue({ overdue }: { overdue: readonly StoredRetention[] }) {
  return (
    <>
      <p className={classes.text}>Delete everything that is overdue now?</p>
      <table className={classes.table} aria-label="Overdue now">
        <tbody>
          {overdue.map(({ kind, overdue: count, overdue_bytes }) => (
            <tr key={kind}>
              <th scope="row">{placeOf(kind).setting.title}</th>
              <td>{formatCount(count, KIND_WORDS[kind])}</td>
              <td>{formatBytes(overdue_bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={`${classes.text} ${classes.dim}`}>What a run has deleted cannot be brought back.</p>
    </>
  );
}
