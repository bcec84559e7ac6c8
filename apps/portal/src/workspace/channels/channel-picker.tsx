import { Combobox, Group, Loader, PillsInput, useVirtualizedCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { CHANNELS_PER_PAGE, SEARCH_MAX } from '@steward/contract/api/limits';
import type { Channel } from '@steward/contract/channels';
import { listTeamChannels } from '@steward/contract/channels/defaults';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { cleanSearch } from '#platform/search/search-text.ts';
import { ChannelChips, type ChipNote } from './channel-chips.tsx';
import {
  type ChosenChannel,
  dedupeChannels,
  getNextPage,
  toChosenChannel,
  toggleChannel,
  without,
} from './channel-choice.ts';
import { ChannelList, type ChannelPages, retry, rowId } from './channel-list.tsx';
import classes from './channel-picker.module.css';

interface ChannelPickerProps {
  label: string;
  description?: string;
  error?: string | undefined;
  teamId: string;
  chosen: readonly ChosenChannel[];
  getNote?: (channel: ChosenChannel) => ChipNote | undefined;
  getLockReason?: (channel: ChosenChannel) => string | undefined;
  /** The requested selection; it takes effect only if the parent passes it back as `chosen`. */
  onChange: (wanted: readonly ChosenChannel[]) => void;
}

const DROPDOWN = {
  position: 'bottom-start',
  offset: 4,
  // The list opens upward if it would cover the Save button, which stays at the bottom of the screen.
  middlewares: { shift: true, flip: { padding: { top: 56, bottom: 72 } } },
  shadow: 'md',
  keepMounted: false,
  // The dropdown belongs to the main landmark of the screen.
  portalProps: { target: '#main' },
} as const;

const nothing = () => undefined;

/** The selected channels are chips, and the server searches the list. */
export function ChannelPicker(props: ChannelPickerProps) {
  const { label, description, error, chosen, getNote = nothing, getLockReason = nothing } = props;
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  const finding = useChannelSearch(props.teamId, opened);
  const channelSelection = useChannelSelection(props, field);
  const { list, search, isPending, active } = finding;
  const isDelayed = useDelayed(isPending);
  const combobox = useListbox({ opened, setOpened, finding, toggle: channelSelection.toggle });
  return (
    <Combobox store={combobox} {...DROPDOWN}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          error={error !== undefined && <span role="alert">{error}</span>}
          rightSection={isDelayed ? <Loader size={16} /> : <Icon name="chevron" size={16} />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
        >
          <Group gap={6} py={5} miw={0} className={classes.field ?? ''}>
            <ChannelChips
              label={`${label}, chosen`}
              chosen={chosen}
              getNote={getNote}
              getLockReason={getLockReason}
              onRemove={channelSelection.remove}
            />
            <Combobox.EventsTarget withAriaAttributes={false}>
              <PillsInput.Field ref={field} {...fieldProps({ listId, opened, setOpened, finding, channelSelection })} />
            </Combobox.EventsTarget>
          </Group>
          <span role="status" className={hidden.unseen}>
            {channelSelection.announcement || (opened && !isPending ? foundText(finding) : '')}
          </span>
        </PillsInput>
      </Combobox.DropdownTarget>
      {/* A click on the list must not take the focus from the field, which would close the list. */}
      <Combobox.Dropdown p={4} onMouseDown={(event) => event.preventDefault()}>
        <ChannelList
          id={listId}
          list={list}
          search={search}
          active={active}
          isStale={isPending}
          getLockReason={channelSelection.getLockReason}
          isChosen={channelSelection.isChosen}
          onToggle={channelSelection.toggle}
        />
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface Listbox {
  opened: boolean;
  setOpened: (opened: boolean) => void;
  finding: ChannelSearch;
  toggle: (channel: Channel) => void;
}

/** Opens and closes the list, and moves through it by keyboard. */
function useListbox({ opened, setOpened, finding: { channels, active, setActive }, toggle }: Listbox) {
  return useVirtualizedCombobox({
    opened,
    onOpenedChange: setOpened,
    loop: false,
    totalOptionsCount: channels.length,
    getOptionId: () => null,
    selectedOptionIndex: active,
    setSelectedOptionIndex: setActive,
    onSelectedOptionSubmit: (at) => channels[at] && toggle(channels[at]),
  });
}

/** Changes of the selection, announced to screen readers. */
function useChannelSelection(
  { chosen, getLockReason = nothing, onChange }: ChannelPickerProps,
  field: RefObject<HTMLInputElement | null>,
) {
  const [announcement, announce] = useState('');
  const locks = new Map(chosen.map((channel) => [channel.channel_id, getLockReason(channel)]));
  const isUnlocked = ({ channel_id }: ChosenChannel) => locks.get(channel_id) === undefined;
  const change = (wanted: readonly ChosenChannel[], channel: ChosenChannel) => {
    const done = wanted.length > chosen.length ? 'added' : 'removed';
    announce(locks.get(channel.channel_id) ?? `${channel.channel_name} ${done}`);
    if (isUnlocked(channel)) onChange(wanted);
    // The chip disappears together with the button that had the focus.
    field.current?.focus();
  };
  return {
    announcement,
    announce,
    isChosen: (id: string) => locks.has(id),
    getLockReason: (id: string) => locks.get(id),
    last: chosen.findLast(isUnlocked),
    remove: (channel: ChosenChannel) => change(without(chosen, channel.channel_id), channel),
    toggle: (channel: Channel) => {
      change(toggleChannel(chosen, toChosenChannel(channel)), toChosenChannel(channel));
      // The list stays open for the next one, and typing starts a new search.
      field.current?.select();
    },
  };
}

interface Searching {
  listId: string;
  opened: boolean;
  setOpened: (opened: boolean) => void;
  finding: ChannelSearch;
  channelSelection: ReturnType<typeof useChannelSelection>;
}

/** The field keeps the focus and refers to the active row. */
function fieldProps({ listId, opened, setOpened, finding, channelSelection }: Searching) {
  const { text, type, list, channels, active } = finding;
  const reached = channels[active];
  const isListed = opened && channels.length > 0;
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isListed,
    'aria-controls': isListed ? listId : undefined,
    'aria-activedescendant': isListed && reached ? rowId(listId, reached) : undefined,
    autoComplete: 'off',
    spellCheck: false,
    maxLength: SEARCH_MAX,
    placeholder: 'Search channels',
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      type(currentTarget.value);
      channelSelection.announce('');
      setOpened(true);
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing) return;
      // Enter would submit the form.
      if (event.key === 'Enter') event.preventDefault();
      if (event.key === 'Escape' && !opened) type('');
      if (event.key === 'ArrowDown' && opened && list.error !== null && !list.isFetching) retry(list);
      // A key held down to clear the text must not continue with the chips.
      if (event.key === 'Backspace' && text === '' && !event.repeat && channelSelection.last)
        channelSelection.remove(channelSelection.last);
    },
    onBlur: ({ currentTarget }: FocusEvent) => {
      // Another window took the focus and will return it.
      if (document.activeElement === currentTarget) return;
      setOpened(false);
      type('');
    },
  } as const;
}

function foundText({ list: { data, hasNextPage } }: ChannelSearch): string {
  if (data === undefined) return '';
  const count = data.length === 0 ? 'No channels' : `${data.length} channel${data.length === 1 ? '' : 's'}`;
  return hasNextPage ? `First ${count}` : count;
}

/** Delay of the search after the last keystroke, in milliseconds. */
const TYPING_MS = 300;

interface ChannelSearch {
  text: string;
  type: (text: string) => void;
  list: ChannelPages;
  channels: readonly Channel[];
  /** The search text of `list`. */
  search: string;
  /** The result of the current text hasn't arrived yet. */
  isPending: boolean;
  /** Index of the channel that is active by arrow keys; -1 for none. */
  active: number;
  setActive: (at: number) => void;
}

/** The search runs only while the list is open. */
function useChannelSearch(teamId: string, opened: boolean): ChannelSearch {
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

/** Options for `useInfiniteQuery`: the channels of a team whose name contains the search text. */
function teamChannelsQueryOptions(teamId: string, search: string) {
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
