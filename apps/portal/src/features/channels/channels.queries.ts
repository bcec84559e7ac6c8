import * as calls from '@steward/contract/channels/defaults';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { pollWhile, queryOptionsFor } from '#platform/api/queries.ts';
import { nextTask } from '#platform/tables/cached-lists.ts';
import { getIds, type Selection, type Stored, toStoredChannels } from './default-channels.form.ts';

const JOIN_POLL_MS = 1_500;

export function defaultChannelsQueryOptions(teamId: string) {
  return queryOptionsFor(calls.getDefaultChannels, { params: { teamId } });
}

export function getPreview(teamId: string, ids: readonly string[]) {
  return queryOptionsFor(calls.previewDefaultChannels, { params: { teamId }, body: { default_channels: [...ids] } });
}

type Join = Awaited<ReturnType<typeof call<typeof calls.getChannelJoin>>>;

/** Polled while current members are being added. */
export function channelJoinQueryOptions(teamId: string) {
  return {
    ...queryOptionsFor(calls.getChannelJoin, { params: { teamId } }),
    refetchInterval: pollWhile(({ join }: Join) => join?.state === 'running', JOIN_POLL_MS),
  };
}

/** The key makes a retry take effect only once. */
export interface Saved {
  selection: Selection;
  addExisting: boolean;
  idempotencyKey: string;
}

export function useSaveDefaultChannels(teamId: string, stored: Stored) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, Saved>({
    mutationFn: ({ selection, addExisting, idempotencyKey }) => {
      const body = { default_channels: getIds(selection), ...(addExisting && { add_existing: true }) };
      return call(calls.saveDefaultChannels, { params: { teamId }, body }, { idempotencyKey });
    },
    onSuccess: async (_answer, { selection, addExisting }) => {
      const { queryKey } = defaultChannelsQueryOptions(teamId);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, { default_channels: toStoredChannels(selection, stored) });
      void client.invalidateQueries({ queryKey });
      if (addExisting) void client.invalidateQueries({ queryKey: channelJoinQueryOptions(teamId).queryKey });
      // The form resets its selection only after this; otherwise the previous channels would flash.
      await nextTask();
    },
  });
}
