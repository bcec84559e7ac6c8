import type { RetentionOfKind, StoredOfKind } from '@steward/contract/retention';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { SteadyButton } from '#platform/forms/steady-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { useRunNow } from '../retention.queries.ts';
import { RunNowDialog } from './run-now-dialog.tsx';

interface RunNowProps {
  teamId: string;
  overview: { kinds: readonly RetentionOfKind[] } | undefined;
  stored: UseQueryResult<{ records: readonly StoredOfKind[] }>;
}

/** Begins the runs of the night by hand, after a question. */
export function RunNow({ teamId, overview, stored }: RunNowProps) {
  const [isAsking, setAsking] = useState(false);
  const run = useRunNow(teamId);
  const isRunning = overview?.kinds.some(({ running }) => running !== null) ?? false;
  const ask = () => {
    setAsking(true);
    // What is confirmed is counted now, and not when the page was opened.
    void stored.refetch();
  };
  const begin = () =>
    run.mutate(undefined, {
      onSuccess: () => showAlert({ kind: 'success', text: 'The run has begun.' }),
      onError: ({ message }) => showAlert({ kind: 'error', text: message }),
      onSettled: () => setAsking(false),
    });
  return (
    <>
      <SteadyButton
        {...(overview !== undefined && { errand: 'run retention' })}
        leftSection={<Icon name="play" size={16} />}
        isOff={overview === undefined || isRunning}
        onPress={ask}
      >
        Run now
      </SteadyButton>
      <RunNowDialog
        opened={isAsking}
        kinds={overview?.kinds ?? []}
        stored={stored}
        pending={run.isPending}
        onClose={() => setAsking(false)}
        onConfirm={begin}
      />
    </>
  );
}
