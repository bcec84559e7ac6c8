import { Button, Group, Loader, Stack, Table, Text } from '@mantine/core';
import type { KindRetention, StoredRetention } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { formatBytes, formatCount } from '#platform/time/format.ts';
import { RecoveryText } from '../recovery-time.tsx';
import { useRunNow } from '../retention.queries.ts';

interface RunNowProps {
  teamId: string;
  overview: { kinds: readonly KindRetention[] } | undefined;
  stored: UseQueryResult<{ records: readonly StoredRetention[] }>;
}

export function RunNow({ teamId, overview, stored }: RunNowProps) {
  const [isConfirming, setConfirming] = useState(false);
  const run = useRunNow(teamId);
  const isRunning = overview?.kinds.some(({ running }) => running !== null) ?? false;
  const ask = () => {
    setConfirming(true);
    // The dialog shows a new count instead of the one from when the page was opened.
    void stored.refetch();
  };
  const confirm = () =>
    run.mutate(undefined, {
      onSuccess: () => showSuccess('The run has started.'),
      onError: showFailure,
      onSettled: () => setConfirming(false),
    });
  return (
    <>
      <FocusableButton
        {...(overview !== undefined && { command: 'run retention' })}
        variant="default"
        leftSection={<Icon name="play" size={16} />}
        isDisabled={overview === undefined || isRunning}
        onPress={ask}
      >
        Run now
      </FocusableButton>
      <RunNowDialog
        teamId={teamId}
        opened={isConfirming}
        hasRule={overview?.kinds.some(({ cutoff }) => cutoff !== null) ?? false}
        stored={stored}
        pending={run.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={confirm}
      />
    </>
  );
}

interface RunNowDialogProps extends DialogControls {
  teamId: string;
  hasRule: boolean;
  stored: Pick<UseQueryResult<{ records: readonly StoredRetention[] }>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  pending: boolean;
  onConfirm: () => void;
}

/** Cancel has the focus, so that an accidental Enter does nothing. */
function RunNowDialog({ teamId, opened, hasRule, stored, pending, onClose, onConfirm }: RunNowDialogProps) {
  const due = stored.data?.records.filter(({ overdue }) => overdue > 0) ?? [];
  const isCounted = !stored.isFetching && stored.error === null;
  return (
    <Dialog opened={opened} onClose={onClose} title="Run now" width={480} closable={!pending}>
      <Question teamId={teamId} hasRule={hasRule} stored={stored} due={due} />
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={pending} onClick={onClose}>
          {hasRule ? 'Cancel' : 'Close'}
        </Button>
        {hasRule && stored.error !== null && !stored.isFetching && (
          <Button onClick={() => void stored.refetch()}>Retry</Button>
        )}
        {hasRule && stored.error === null && (
          <Button
            {...(due.length > 0 ? { color: 'red' } : { variant: 'default' })}
            disabled={!isCounted}
            loading={pending}
            onKeyDown={ignoreRepeat}
            onClick={onConfirm}
          >
            {isCounted && due.length === 0 ? 'Run anyway' : 'Delete now'}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function Question({
  teamId,
  hasRule,
  stored,
  due,
}: Pick<RunNowDialogProps, 'teamId' | 'hasRule' | 'stored'> & { due: readonly StoredRetention[] }) {
  if (!hasRule) return <Text>Every rule keeps everything, so there is nothing to run.</Text>;
  if (stored.isFetching)
    return (
      <Group gap="xs" role="status">
        <Loader size={16} aria-hidden="true" /> Counting what is due for deletion…
      </Group>
    );
  if (stored.error !== null)
    return <Text role="alert">Couldn't count what is due for deletion: {getFailureMessage(stored.error)}</Text>;
  if (due.length === 0) return <Text>Nothing is due for deletion.</Text>;
  return (
    <Stack gap="sm">
      <Text>Delete everything that is due for deletion now?</Text>
      <Table aria-label="Due for deletion" tabularNums>
        <Table.Tbody>
          {due.map(({ kind, overdue, overdue_bytes }) => (
            <Table.Tr key={kind}>
              <Table.Th scope="row" fw={400}>
                {KIND_TEXT[kind].title}
              </Table.Th>
              <Table.Td ta="end">{formatCount(overdue, KIND_TEXT[kind])}</Table.Td>
              <Table.Td ta="end">{formatBytes(overdue_bytes)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text c="dimmed">
        <RecoveryText teamId={teamId} />
      </Text>
    </Stack>
  );
}
