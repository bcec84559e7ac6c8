import type { KindRetention, StoredRetention } from '@steward/contract/retention';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { useRunNow } from '../retention.queries.ts';
import { RunNowDialog } from './run-now-dialog.tsx';

interface RunNowProps {
  teamId: string;
  overview: { kinds: readonly KindRetention[] } | undefined;
  stored: UseQueryResult<{ records: readonly StoredRetention[] }>;
}

/** Begins the runs of the night by hand, after a question. */
export function RunNow({ teamId, overview, stored }: RunNowProps) {
  const [isConfirming, setConfirming] = useState(false);
  const run = useRunNow(teamId);
  const isRunning = overview?.kinds.some(({ running }) => running !== null) ?? false;
  const ask = () => {
    setConfirming(true);
    // What is confirmed is counted now, and not when the page was opened.
    void stored.refetch();
  };
  const begin = () =>
    run.mutate(undefined, {
      onSuccess: () => showAlert({ kind: 'success', text: 'The run has begun.' }),
      onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      onSettled: () => setConfirming(false),
    });
  return (
    <>
      <FocusableButton
        {...(overview !== undefined && { command: 'run retention' })}
        leftSection={<Icon name="play" size={16} />}
        isDisabled={overview === undefined || isRunning}
        onPress={ask}
      >
        Run now
      </FocusableButton>
      <RunNowDialog
        opened={isConfirming}
        kinds={overview?.kinds ?? []}
        stored={stored}
        pending={run.isPending}
        onClose={() => setConfirming(false)}
        onConfirm={begin}
      />
    </>
  );
}
