import type { RetentionRun } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { formatCount } from '#platform/time/format.ts';
import { restoringRun } from './recovery.queries.ts';

interface RestoreDialogProps extends DialogControls {
  teamId: string;
  run: RetentionRun;
}

export function RestoreDialog({ teamId, run, opened, onClose }: RestoreDialogProps) {
  const restore = useMutation(restoringRun);
  const text = KIND_TEXT[run.kind];
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Restore"
      question={`Restore ${formatCount(run.deleted, text)}?`}
      detail="Everything that this run deleted comes back, in the background, except what exists again. Restored content is held for 30 days, so that the next run doesn't delete it again. Change the rule before then."
      confirmLabel="Restore"
      pending={restore.isPending}
      onConfirm={() =>
        restore.mutate({ params: { teamId, runId: run.id } }, closeWithAlert('The restore has started.', onClose))
      }
    />
  );
}
