import { useDebouncedValue } from '@mantine/hooks';
import type { Channel } from '@steward/contract/channels';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cleanSearch } from '#platform/search/search-text.ts';
import type { ChannelPages } from './channel-list.tsx';
import { teamChannelsQueryOptions } from './channels.queries.ts';

/** Delay of the search after the last keystroke, in milliseconds. */
const TYPING_MS = 300;

/** The search text and its results. */
export interface ChannelSearch {
  text: string;
  type: (text: string) => void;
  list: ChannelPages;
  channels: readonly Channel[];
  /** The text that `list` is the result of. */
  search: string;
  /** The result of the current text hasn't arrived yet. */
  isPending: boolean;
  /** Index of the channel that is active by arrow keys; -1 for none. */
  active: number;
  setActive: (at: number) => void;
}

/** Searches channels while the list is open. */
export function useChannelSearch(teamId: string, opened: boolean): ChannelSearch {
  const [text, type] = useState('');
  const typed = cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const search = typed === '' ? '' : settled;
  const list = useInfiniteQuery({ ...teamChannelsQueryOptions(teamId, search), enabled: opened });
  const channels = list.data ?? [];
  const isAwaited = typed !== search || list.isPlaceholderData || list.isPending;
  const isPending = opened && isAwaited && list.error === null;

  // The first result is active, ready for Enter; the active row of the previous search is forgotten.
  const [reached, setReached] = useState({ search: '', at: -1 });
  const wanted = reached.search === search ? reached.at : search === '' ? -1 : 0;
  const active = isPending ? -1 : Math.min(wanted, channels.length - 1);
  const setActive = (at: number) => setReached({ search, at });
  return { text, type, list, channels, search, isPending, active, setActive };
}
