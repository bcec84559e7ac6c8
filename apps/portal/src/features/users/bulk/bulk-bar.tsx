import { Button, Menu, Text } from '@mantine/core';
import type { ListedUser } from '@steward/contract/users';
import type { BulkAction, BulkFilterInput, BulkJob } from '@steward/contract/users/bulk';
import { useCallback, useState } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { Confirmation } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import { useStore } from '#platform/store.ts';
import { formatNumber } from '#platform/time/format.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { EndDateField, isEndDate } from '../end-date-field.tsx';
import classes from './bulk.module.css';
import { type BulkTarget, starting, useDryRun, useJobProgress } from './bulk.queries.ts';
import { BULK_ACTIONS, formatResult, formatSkipped, formatUsers, listActions, listAllActions } from './bulk-words.ts';
import { countChosen, EVERYTHING, isChosen, NOTHING, type Selection } from './selection.ts';
import type { SelectionStore } from './use-selection.ts';

export interface BulkList {
  store: SelectionStore;
  users: readonly ListedUser[] | undefined;
  filter: BulkFilterInput;
  /** The total is null while it is unknown. */
  total: number | null;
}

interface BulkBarProps {
  list: BulkList;
  onStarted: (jobId: string) => void;
}

export function BulkBar({ list, onStarted }: BulkBarProps) {
  const selection = useStore(list.store);
  const [confirming, setConfirming] = useState<BulkAction>();
  const [endsOn, setEndsOn] = useState<string>();
  const choose = (action: BulkAction) => {
    setEndsOn(undefined);
    setConfirming(action);
  };
  const start = (jobId: string) => {
    setConfirming(undefined);
    list.store.set(NOTHING);
    onStarted(jobId);
  };
  return (
    <section className={classes.bar} aria-label="Selected users">
      <span className={classes.count} role="status">
        {formatSelected(selection, list.total)}
      </span>
      <Button variant="subtle" onClick={() => list.store.set(NOTHING)}>
        Clear
      </Button>
      {!selection.isAll && selection.ids.size !== list.total && (
        <Button variant="subtle" onClick={() => list.store.set(EVERYTHING)}>
          {list.total === null ? 'Select all that match' : `Select all ${formatNumber(list.total)} that match`}
        </Button>
      )}
      <ActionMenu list={list} selection={selection} onChoose={choose} />
      {confirming === 'set_end' && endsOn === undefined && (
        <EndDateDialog onClose={() => setConfirming(undefined)} onChosen={setEndsOn} />
      )}
      {confirming !== undefined && (confirming !== 'set_end' || endsOn !== undefined) && (
        <BulkDialog
          action={confirming}
          target={{ ...toTarget(selection, list.filter), ...(endsOn !== undefined && { ends_on: endsOn }) }}
          onClose={() => setConfirming(undefined)}
          onStarted={start}
        />
      )}
    </section>
  );
}

function formatSelected(selection: Selection, total: number | null): string {
  const count = countChosen(selection, total);
  if (count !== null) return `${formatUsers(count)} selected`;
  return selection.ids.size === 0 ? 'All that match selected' : `All but ${formatUsers(selection.ids.size)} selected`;
}

function toTarget({ isAll, ids }: Selection, filter: BulkFilterInput): BulkTarget {
  return isAll ? { filter: { ...filter, except: [...ids] } } : { user_ids: [...ids] };
}

interface ActionMenuProps {
  list: BulkList;
  selection: Selection;
  onChoose: (action: BulkAction) => void;
}

function ActionMenu({ list, selection, onChoose }: ActionMenuProps) {
  const chosen = (list.users ?? []).filter(({ id }) => isChosen(selection, id));
  const actions = selection.isAll ? listAllActions() : listActions(chosen);
  return (
    <Menu position="top-end" offset={4} width={240} loop={false} portalProps={{ target: '#main' }}>
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevron" size={16} />}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.length === 0 && <Menu.Item disabled>Nothing can be done to these users</Menu.Item>}
        {actions.map((action) => (
          <Menu.Item key={action} onClick={() => onChoose(action)}>
            {BULK_ACTIONS[action].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows an alert with the result when the job ends. */
export function BulkProgress({ jobId, onEnd }: { jobId: string; onEnd: () => void }) {
  const end = useCallback(
    (job: BulkJob | null) => {
      if (job) showResult(job);
      onEnd();
    },
    [onEnd],
  );
  const job = useJobProgress(jobId, end);
  const seen = job ? job.skipped.reduce((sum, { count }) => sum + count, job.done + job.failed.length) : 0;
  const label = job ? BULK_ACTIONS[job.action].label : 'Starting';
  return (
    <section className={classes.bar} aria-label="Change in progress">
      <div className={classes.progress}>
        <ProgressBar
          label={label}
          value={seen}
          max={job?.total ?? 0}
          text={job ? `${label}: ${formatNumber(seen)} of ${formatUsers(job.total)}` : 'Starting…'}
        />
      </div>
    </section>
  );
}

function showResult(job: BulkJob): void {
  const isGood = job.state === 'done' && job.failed.length === 0;
  const rows = job.failed.map(({ user_id, error }) => `${user_id},${error}\r\n`).join('');
  const file = {
    label: 'Download failures',
    name: 'failed-users.csv',
    content: new Blob([`User,Error\r\n${rows}`], { type: 'text/csv' }),
  };
  showAlert({ kind: isGood ? 'success' : 'error', text: formatResult(job), ...(job.failed.length > 0 && { file }) });
}

/** The numbers depend on the date, so it is asked for before them. */
function EndDateDialog({ onClose, onChosen }: { onClose: () => void; onChosen: (day: string) => void }) {
  const [day, setDay] = useState('');
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={BULK_ACTIONS.set_end.label}
      submitLabel="Continue"
      isDirty={false}
      isIdle={!isEndDate(day)}
      isSaving={false}
      failure={undefined}
      onSubmit={(event) => {
        event.preventDefault();
        onChosen(day);
      }}
    >
      <EndDateField value={day} onChange={setDay} required />
    </FormDialog>
  );
}

interface BulkDialogProps {
  action: BulkAction;
  target: BulkTarget;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}

function BulkDialog({ action, target, onClose, onStarted }: BulkDialogProps) {
  const { label, ask, effect, isDanger = false } = BULK_ACTIONS[action];
  const { data, error } = useDryRun(action, target);
  const isLate = useDelayed(data === undefined && error === null);
  const { start, isPending, failure } = useStarting({ action, target, onStarted });
  const problem = failure ?? error?.message;
  // The dialog waits for the numbers unless they take long, because text that appears later moves its buttons.
  const isReady = data !== undefined || error !== null || isLate;
  return (
    <Dialog opened={isReady} onClose={onClose} title={label} closable={!isPending}>
      {data !== undefined && data.affected > 0 ? (
        <Confirmation
          onClose={onClose}
          question={ask(formatUsers(data.affected), target.ends_on)}
          detail={
            <>
              {effect} {formatSkipped(data.skipped)}
            </>
          }
          confirmLabel={label}
          danger={isDanger}
          pending={isPending}
          onConfirm={start}
        >
          {problem !== undefined && <Problem text={problem} />}
        </Confirmation>
      ) : (
        <Nothing text={data ? `No one is affected. ${formatSkipped(data.skipped)}` : problem} onClose={onClose} />
      )}
    </Dialog>
  );
}

function useStarting({ action, target, onStarted }: Pick<BulkDialogProps, 'action' | 'target' | 'onStarted'>) {
  const { id: teamId } = useCurrentTeam();
  const { mutate, isPending, error } = useChangeWithKey(starting);
  const start = () => {
    const onSuccess = ({ id }: { id?: string | undefined }) => id !== undefined && onStarted(id);
    mutate({ params: { teamId }, body: { action, ...target } }, { onSuccess });
  };
  return { start, isPending, failure: error?.message };
}

function Problem({ text }: { text: string }) {
  return (
    <Text role="alert" mt={12} c="var(--danger)">
      {text}
    </Text>
  );
}

function Nothing({ text, onClose }: { text: string | undefined; onClose: () => void }) {
  return (
    <>
      <Text role="status">{text ?? 'Counting users…'}</Text>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </>
  );
}
