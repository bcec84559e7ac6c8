import { Button, Text } from '@mantine/core';
import type { BulkAction } from '@steward/contract/users/bulk';
import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { Confirmation } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { type BulkTarget, useDryRun, useStartBulk } from './bulk.queries.ts';
import { BULK_ACTIONS, formatSkipped, formatUsers } from './bulk-words.ts';

interface BulkDialogProps {
  action: BulkAction;
  target: BulkTarget;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}

/** Says whom an action affects and what ends, and starts it. */
export function BulkDialog({ action, target, onClose, onStarted }: BulkDialogProps) {
  const { label, ask, effect, isDanger = false } = BULK_ACTIONS[action];
  const { data, error } = useDryRun(action, target);
  const isLate = useDelayed(data === undefined && error === null);
  const { start, isPending, failure } = useStarting({ action, target, onStarted });
  const problem = failure ?? error?.message;
  // The dialog waits for the numbers unless they take long, because a text that appears later moves its buttons.
  const isReady = data !== undefined || error !== null || isLate;
  return (
    <Dialog opened={isReady} onClose={onClose} title={label} closable={!isPending}>
      {data !== undefined && data.affected > 0 ? (
        <Confirmation
          onClose={onClose}
          question={ask(formatUsers(data.affected))}
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
  const [keyFor] = useState(createIdempotencyKeys);
  const { mutate, isPending, error } = useStartBulk();
  const start = () => {
    const body = { action, ...target };
    const onSuccess = ({ id }: { id?: string | undefined }) => id !== undefined && onStarted(id);
    mutate({ params: { teamId }, body, idempotencyKey: keyFor(body) }, { onSuccess });
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
