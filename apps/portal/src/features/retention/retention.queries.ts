import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import * as calls from '@steward/contract/retention';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { infiniteQueryOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { nextTask } from '#platform/tables/cached-lists.ts';
import type { Group, GroupName } from './rules/groups.ts';
import type { Rules, SavedRules } from './rules/retention.form.ts';

/** While something runs, it is asked how far it is this often. Milliseconds. */
const RUN_POLL_MS = 2_000;
const RUNS_LIMIT = '25';

/** The two calls of each group (spec §7). They differ in their types alone, which is why what is sent is cast below. */
const CALLS: Record<GroupName, { load: AnyEndpoint; save: AnyEndpoint }> = {
  file_retention: { load: calls.getFileRetention, save: calls.saveFileRetention },
  message_retention: { load: calls.getMessageRetention, save: calls.saveMessageRetention },
  notes_retention: { load: calls.getNoteRetention, save: calls.saveNoteRetention },
  tasks_retention: { load: calls.getTaskRetention, save: calls.saveTaskRetention },
  meeting_retention: { load: calls.getMeetingRetention, save: calls.saveMeetingRetention },
  voice_retention: { load: calls.getVoiceRetention, save: calls.saveVoiceRetention },
};

/** Files are the one group whose rule stands at the top level itself, in what is sent and in what is answered. */
function buildBody({ name }: Group, rules: Rules): unknown {
  return name === 'file_retention' ? rules.files : rules;
}

function parseRules({ name }: Group, answer: unknown): SavedRules {
  return (name === 'file_retention' ? { files: answer } : answer) as SavedRules;
}

/** The rules of a group as they are stored. */
export function rulesQueryOptions(group: Group, teamId: string) {
  const { load } = CALLS[group.name];
  const sent = { params: { teamId } };
  return queryOptions<SavedRules, Failure>({
    queryKey: [load.name, 'one', sent],
    queryFn: async ({ signal }) => parseRules(group, await call(load, sent as never, { signal })),
  });
}

/** Saves a group, whole, and shows what is stored then wherever rules are shown. */
export function useSaveRules(group: Group, teamId: string) {
  const client = useQueryClient();
  return useMutation<SavedRules, Failure, Rules>({
    mutationFn: async (rules) => {
      const sent = { params: { teamId }, body: buildBody(group, rules) };
      return parseRules(group, await call(CALLS[group.name].save, sent as never));
    },
    onSuccess: async (saved) => {
      const { queryKey } = rulesQueryOptions(group, teamId);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, saved);
      refreshFacts(client);
      // Before what was entered is let go of: else the rule of before shows for a moment.
      await nextTask();
    },
  });
}

/** What rules would delete, setting by setting; counted anew at each asking (design §6). */
export async function getPreview(
  group: Group,
  teamId: string,
  { rules, signal }: { rules: Rules; signal: AbortSignal },
) {
  const sent = { params: { teamId }, body: buildBody(group, rules) };
  return call(calls.previewRetention, sent as never, { signal });
}

type Overview = Awaited<ReturnType<typeof call<typeof calls.getRetention>>>;

/** All rules with their cutoffs and runs; asked again and again while something runs and the page is looked at. */
export function overviewQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.getRetention, { params: { teamId } }),
    refetchInterval: ({ state }: { state: { data?: Overview | undefined } }) =>
      state.data?.kinds.some(({ running }) => running !== null) ? RUN_POLL_MS : (false as const),
  };
}

/** How much is stored; slow where there is much, so what was counted last stays in view meanwhile. */
export function getStored(teamId: string, kinds?: readonly RetentionKind[]) {
  const query = kinds === undefined ? {} : { kinds: kinds.join(',') };
  return {
    ...queryOptionsFor(calls.getRetentionStored, { params: { teamId }, query }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  };
}

/** The pages of the history that were loaded so far. */
interface RunPages {
  pages: readonly { records: readonly calls.RetentionRun[] }[];
}

/** Runs, newest first; of one kind, or of all. */
export function runsQueryOptions(teamId: string, kind: RetentionKind | undefined) {
  return {
    ...infiniteQueryOptionsFor(calls.listRetentionRuns, {
      params: { teamId },
      query: { limit: RUNS_LIMIT, ...(kind && { kind }) },
    }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: RunPages | undefined } }) =>
      state.data?.pages.some(({ records }) => records.some((run) => run.state === 'running'))
        ? RUN_POLL_MS
        : (false as const),
  };
}

/** Begins a run of everything that has a rule. */
export function useRunNow(teamId: string) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, void>({
    mutationFn: () => call(calls.runRetention, { params: { teamId }, body: {} }),
    onSettled: () => refreshFacts(client),
  });
}

/** What a change or a run may have changed: the overview, the counts, the history. */
export function refreshFacts(client: QueryClient): void {
  for (const { name } of [calls.getRetention, calls.getRetentionStored, calls.listRetentionRuns]) {
    void client.invalidateQueries({ queryKey: [name] });
  }
}
