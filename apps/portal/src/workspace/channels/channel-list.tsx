import { Group, Loader } from '@mantine/core';
import { LIST_THRESHOLD_ROWS } from '@steward/contract/api/limits';
import type { Channel } from '@steward/contract/channels';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type MouseEvent, memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import { Mark } from './channel-chips.tsx';
import classes from './channel-picker.module.css';

/** Height of a row in rem, as in the stylesheet. */
const ROW_REM = 2.25;

export type ChannelPages = UseInfiniteQueryResult<readonly Channel[], Failure>;

interface ChannelListProps {
  id: string;
  list: ChannelPages;
  search: string;
  /** Another search is running, so the rows are the result of the previous one. */
  isStale: boolean;
  /** Index of the row that is active by arrow keys; -1 for none. */
  active: number;
  isChosen: (id: string) => boolean;
  getLockReason: (id: string) => string | undefined;
  onToggle: (channel: Channel) => void;
}

/** The focus stays in the field above, which refers to the active row by its id. */
export function ChannelList(props: ChannelListProps) {
  const { id, list, search, isStale, active, isChosen, getLockReason, onToggle } = props;
  const channels = list.data ?? [];
  const { box, measure } = useNextPage(list, channels.length, isStale);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new result starts at the top
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0;
  }, [box, search, isStale]);
  useEffect(() => {
    if (active >= 0) box.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [box, active]);

  const press = ({ target }: MouseEvent) => {
    const row = (target as Element).closest('[data-at]');
    const channel = row && channels[Number(row.getAttribute('data-at'))];
    if (channel) onToggle(channel);
  };
  return (
    <>
      {channels.length > 0 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
        <div
          ref={box}
          id={id}
          role="listbox"
          aria-label="Channels"
          aria-multiselectable
          aria-busy={isStale}
          className={classes.options}
          data-stale={isStale || undefined}
          onScroll={measure}
          onClick={press}
        >
          {channels.map((channel, at) => (
            <Row
              key={channel.id}
              id={rowId(id, channel)}
              at={at}
              channel={channel}
              isChosen={isChosen(channel.id)}
              isActive={at === active}
              lock={getLockReason(channel.id)}
            />
          ))}
        </div>
      )}
      <Foot list={list} search={search} isStale={isStale} />
    </>
  );
}

export function rowId(listId: string, { id }: Channel): string {
  return `${listId}-${id}`;
}

interface RowProps {
  id: string;
  at: number;
  channel: Channel;
  isChosen: boolean;
  isActive: boolean;
  lock: string | undefined;
}

// There may be thousands of rows, and each keystroke renders the list again.
const Row = memo(function Row({ id, at, channel, isChosen, isActive, lock }: RowProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      aria-disabled={lock !== undefined || undefined}
      className={classes.option}
      data-at={at}
      data-active={isActive || undefined}
    >
      <span className={classes.box}>{isChosen && <Icon name="check" size={12} />}</span>
      <bdi className={classes.name} title={channel.display_name}>
        {channel.display_name}
      </bdi>
      {channel.type === 'P' && <Mark icon="lock" text="Private" />}
      {lock !== undefined && <Mark icon="pin" text="Required" />}
    </div>
  );
});

/** Fetches the next page when 4 rows are left below. */
function useNextPage(list: ChannelPages, rows: number, isStale: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [isNearEnd, setNearEnd] = useState(false);
  const measure = () => {
    if (box.current === null) return;
    const { scrollHeight, scrollTop, clientHeight } = box.current;
    const rowHeight = ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    setNearEnd(scrollHeight - scrollTop - clientHeight < LIST_THRESHOLD_ROWS * rowHeight);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows move the end
  useLayoutEffect(measure, [rows]);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const wantsMore = isNearEnd && hasNextPage && !isFetching && !isFetchNextPageError && !isStale;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  return { box, measure };
}

export function retry(list: ChannelPages): void {
  void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch());
}

const FOOT = { gap: 8, p: 8, c: 'dimmed', fz: '0.8125rem', style: { overflowWrap: 'anywhere' } } as const;
/** Covers the last row, so that the list doesn't change its height with every page. */
const OVERLAY = { pos: 'absolute', left: 4, right: 4, bottom: 4, bg: 'var(--mantine-color-body)' } as const;

function Foot({ list, search, isStale }: Pick<ChannelListProps, 'list' | 'search' | 'isStale'>) {
  const { data, error, isFetchingNextPage } = list;
  const isDelayed = useDelayed((data === undefined || isFetchingNextPage) && error === null);
  if (error !== null) return <Failed list={list} error={error} />;
  if (data === undefined || isFetchingNextPage) {
    const words = data === undefined ? 'Loading channels…' : 'Loading more…';
    return (
      <Group
        {...FOOT}
        {...(data !== undefined && OVERLAY)}
        hidden={!isDelayed}
        {...(!isDelayed && { display: 'none' })}
      >
        <Loader size={14} aria-hidden="true" /> {words}
      </Group>
    );
  }
  if (isStale) return null;
  if (data.length === 0 && search !== '') {
    return (
      <Group {...FOOT}>
        <span>
          No channels match “<bdi>{search}</bdi>”.
        </span>
      </Group>
    );
  }
  const isOnlyChannel = search === '' && data.length <= 1;
  return isOnlyChannel ? <Group {...FOOT}>This team has no other channels yet.</Group> : null;
}

function Failed({ list, error }: { list: ChannelPages; error: Failure }) {
  return (
    <Group {...FOOT} role="alert">
      <span>
        Couldn’t load {list.data === undefined ? 'channels' : 'more channels'}: {getFailureMessage(error)}
      </span>
      <RowButton tabIndex={-1} onClick={() => retry(list)}>
        Retry
      </RowButton>
    </Group>
  );
}
