import { CHANNELS_PER_PAGE } from '@steward/contract/api/limits';
import type { Channel } from '@steward/contract/channels';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { dedupeChannels, getNextPage } from './channel-choice.ts';

/** Options for `useInfiniteQuery`: the channels of a team whose name contains the search text. */
export function teamChannelsQueryOptions(teamId: string, search: string) {
  return infiniteQueryOptions<Channel[], Failure, readonly Channel[], readonly unknown[], number>({
    queryKey: [listTeamChannels.name, 'pages', { teamId, search }],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const query = { page: String(pageParam), per_page: String(CHANNELS_PER_PAGE), search };
      return call(listTeamChannels, { params: { teamId }, query }, { signal });
    },
    getNextPageParam: (page, _pages, at) => getNextPage(page, at),
    select: ({ pages }) => dedupeChannels(pages),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
