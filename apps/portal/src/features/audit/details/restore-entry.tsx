import { Button } from '@mantine/core';
import { UNDO_DAYS } from '@steward/contract/api/limits';
import type { AuditRecord } from '@steward/contract/audit';
import { listAuditEvents } from '@steward/contract/audit';
import { listEntries, restoreEntry } from '@steward/contract/directory';
import { useMutation } from '@tanstack/react-query';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';

const DAY_MS = 86_400_000;
const restoring = mutationOptionsFor(restoreEntry, { refreshes: [listEntries, listAuditEvents] });

interface RestoreEntryProps {
  teamId: string;
  record: AuditRecord;
  onRestored: () => void;
}

/** Restores the directory entry that was deleted here, for 30 days. */
export function RestoreEntry({ teamId, record, onRestored }: RestoreEntryProps) {
  const restore = useMutation(restoring);
  const { action, at, target, target_name } = record;
  if (action !== 'directory.deleted' || at < Date.now() - UNDO_DAYS * DAY_MS) return null;
  const run = () =>
    restore.mutate(
      { params: { teamId, entryId: target } },
      {
        onSuccess: () => {
          showAlert({ kind: 'success', text: `${target_name} was restored.` });
          onRestored();
        },
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      },
    );
  return (
    <Button variant="default" loading={restore.isPending} onClick={run}>
      Restore this entry
    </Button>
  );
}
