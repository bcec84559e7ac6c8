import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import * as calls from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { getRetentionAges, getRetentionForecast } from '@steward/contract/retention/foresight';
import { listHolds } from '@steward/contract/retention/holds';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { infiniteQueryOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';
import { nextTask } from '#platform/tables/cached-lists.ts';
import type { Rules, SavedRules } from '#workspace/retention/settings.ts';
import type { Group, GroupName } from './groups.ts';

const RUN_POLL_MS = 2_000;
const RUNS_LIMIT = '25';

/** The calls of the groups differ only in their types, so their input is cast below. */
const CALLS: Record<GroupName, { load: AnyEndpoint; save: AnyEndpoint }> = {
  file_retention: { load: calls.getFileRetention, save: calls.saveFileRetention },
  message_retention: { load: calls.getMessageRetention, save: calls.saveMessageRetention },
  notes_retention: { load: calls.getNoteRetention, save: calls.saveNoteRetention },
  tasks_retention: { load: calls.getTaskRetention, save: calls.saveTaskRetention },
  meeting_retention: { load: calls.getMeetingRetention, save: calls.saveMeetingRetention },
  voice_retention: { load: calls.getVoiceRetention, save: calls.saveVoiceRetention },
};

/** The file rule is the top level of the body, in requests and in responses. */
function buildBody({ name }: Group, rules: Rules): unknown {
  return name === 'file_retention' ? rules.files : rules;
}

function parseRules({ name }: Group, answer: unknown): SavedRules {
  return (name === 'file_retention' ? { files: answer } : answer) as SavedRules;
}

export function rulesQueryOptions(group: Group, teamId: string) {
  const { load } = CALLS[group.name];
  const input = { params: { teamId } };
  return queryOptions<SavedRules, Failure>({
    queryKey: [load.name, 'one', input],
    queryFn: async ({ signal }) => parseRules(group, await call(load, input as never, { signal })),
  });
}

/** A group is saved as a whole. Every query that shows its rules is updated. */
export function useSaveRules(group: Group, teamId: string) {
  const client = useQueryClient();
  return useMutation<SavedRules, Failure, Rules>({
    mutationFn: async (rules) => {
      const input = { params: { teamId }, body: buildBody(group, rules) };
      return parseRules(group, await call(CALLS[group.name].save, input as never));
    },
    onSuccess: async (saved) => {
      const { queryKey } = rulesQueryOptions(group, teamId);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, saved);
      refreshRetention(client);
      // This has to be rendered before the form resets its edits; otherwise the previous rule would flash.
      await nextTask();
    },
  });
}

/** Each setting is counted separately, and the counts aren't cached. */
export async function previewRules(
  group: Group,
  teamId: string,
  { rules, signal }: { rules: Rules; signal: AbortSignal },
) {
  const input = { params: { teamId }, body: buildBody(group, rules) };
  return call(calls.previewRetention, input as never, { signal });
}

type Overview = Awaited<ReturnType<typeof call<typeof calls.getRetention>>>;

/** Polled while something is running. */
export function overviewQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.getRetention, { params: { teamId } }),
    refetchInterval: pollWhile(({ kinds }: Overview) => kinds.some(({ running }) => running !== null), RUN_POLL_MS),
  };
}

/** Counting is slow for large teams, so the previous counts stay visible while loading. */
export function storedQueryOptions(teamId: string, kinds?: readonly RetentionKind[]) {
  const query = kinds === undefined ? {} : { kinds: kinds.join(',') };
  return {
    ...queryOptionsFor(calls.getRetentionStored, { params: { teamId }, query }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  };
}

interface RunPages {
  pages: readonly { records: readonly calls.RetentionRun[] }[];
}

/** The newest run comes first. Without a kind, the list has the runs of all kinds. */
export function runsQueryOptions(teamId: string, kind: RetentionKind | undefined) {
  return {
    ...infiniteQueryOptionsFor(calls.listRetentionRuns, {
      params: { teamId },
      query: { limit: RUNS_LIMIT, ...(kind && { kind }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: pollWhile(
      ({ pages }: RunPages) => pages.some(({ records }) => records.some(({ state }) => state === 'running')),
      RUN_POLL_MS,
    ),
  };
}

export function useRunNow(teamId: string) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(calls.runRetention, { params: { teamId }, body: {} }),
    onSettled: () => refreshRetention(client),
  });
}

const AFFECTED = [calls.getRetention, calls.getRetentionStored, calls.listRetentionRuns, listHolds];

/** A change or a run affects the overview, the counts, the history and the forecast. */
function refreshRetention(client: QueryClient): void {
  for (const { name } of [...AFFECTED, getRetentionAges, getRetentionForecast]) {
    void client.invalidateQueries({ queryKey: [name] });
  }
}

/** The data is reloaded as soon as one of these runs has ended. */
export function useRefreshAfterRun(runs: readonly (calls.RetentionRun | null)[] | undefined): void {
  useRefreshAfter(runs?.filter((run) => run?.state === 'running').length ?? 0);
}

/** A restored run leaves the list, so even a restore that was never seen running is noticed. */
export function useRefreshAfterRestore(runs: readonly calls.RetentionRun[]): void {
  useRefreshAfter(runs.length + runs.filter((run) => run.restore_state === 'running').length);
}

function useRefreshAfter(working: number): void {
  const before = useRef(working);
  const client = useQueryClient();
  useEffect(() => {
    if (working < before.current) refreshRetention(client);
    before.current = working;
  }, [working, client]);
}
