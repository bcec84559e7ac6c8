import { listUsers } from '@steward/contract/users';
import { type BulkAction, type BulkFilterInput, type BulkJob, getBulk, startBulk } from '@steward/contract/users/bulk';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { tabStorage } from '#platform/storage/browser-storage.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';

/** `ends_on` is the date to set. */
export type BulkTarget = ({ user_ids: string[] } | { filter: BulkFilterInput }) & { ends_on?: string };

const POLL_MS = 700;

/** The affected users are counted without changing anything. */
export function useDryRun(action: BulkAction, target: BulkTarget) {
  const { id: teamId } = useCurrentTeam();
  const body = { action, ...target, dry_run: true };
  return useQuery(
    queryOptions<{ affected: number; skipped: BulkJob['skipped'] }, Failure>({
      queryKey: [startBulk.name, 'dry run', teamId, body],
      queryFn: async ({ signal }) => {
        const { affected = 0, skipped = [] } = await call(startBulk, { params: { teamId }, body }, { signal });
        return { affected, skipped };
      },
      gcTime: 0,
      staleTime: 0,
    }),
  );
}

export const starting = mutationOptionsFor(startBulk);

/** The job is also watched after a reload of the tab. */
export function useWatchedJob() {
  const { id: teamId } = useCurrentTeam();
  const place = tabStorage(`users-job.${teamId}`);
  const [jobId, setJobId] = useState(() => place.read());
  const watch = useCallback(
    (id: string | null) => {
      const stored = tabStorage(`users-job.${teamId}`);
      if (id === null) stored.clear();
      else stored.write(id);
      setJobId(id);
    },
    [teamId],
  );
  return { jobId, watch };
}

/** When the job ends, the list is fetched again and `onEnd` is called once. */
export function useJobProgress(jobId: string, onEnd: (job: BulkJob | null) => void) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  const { data, error } = useQuery({
    ...queryOptionsFor(getBulk, { params: { teamId, jobId } }),
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data) ? false : POLL_MS),
  });
  const isGone = error?.status_code === 404;
  const isOver = isGone || (data !== undefined && hasEnded(data));
  useEffect(() => {
    if (!isOver) return;
    void client.invalidateQueries({ queryKey: [listUsers.name] });
    onEnd(isGone ? null : (data ?? null));
  }, [isOver, isGone, data, client, onEnd]);
  return data;
}

function hasEnded({ state }: BulkJob): boolean {
  return state === 'done' || state === 'failed';
}
