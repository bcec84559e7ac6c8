import type { RetentionRun } from '@steward/contract/retention';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { refreshFacts } from '../retention.queries.ts';

/** Counts, overview and history are those of before as soon as one of these runs has ended. */
export function useRunEnd(runs: readonly (RetentionRun | null)[] | undefined): void {
  const running = runs?.filter((run) => run?.state === 'running').length ?? 0;
  const before = useRef(running);
  const client = useQueryClient();
  useEffect(() => {
    if (running < before.current) refreshFacts(client);
    before.current = running;
  }, [running, client]);
}
