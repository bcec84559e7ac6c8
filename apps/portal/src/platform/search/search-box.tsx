import { CloseButton, Kbd, Loader, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { SEARCH_IDLE_MS, SEARCH_MAX } from '@steward/contract/api/limits';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import classes from './search-box.module.css';

interface SearchBoxProps {
  value: string;
  onSearch: (text: string) => void;
  label: string;
  placeholder: string;
  busy: boolean;
}

/** The search runs one second after the last key, or immediately on Enter. The clear icon ends it. */
export function SearchBox({ value, onSearch, label, placeholder, busy }: SearchBoxProps) {
  const { text, waiting, type, search } = useDebouncedSearch(value, onSearch);
  const input = useRef<HTMLInputElement>(null);
  const isDelayed = useDelayed(busy);
  const focus = () => input.current?.focus();
  const clear = () => {
    search('');
    focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') search(text);
    if (event.key === 'Escape' && text !== '') clear();
  };
  // An open dialog keeps the keyboard to itself.
  useHotkeys([['/', () => document.querySelector('[aria-modal="true"]') === null && focus()]]);

  return (
    <search className={classes.box}>
      <TextInput
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={SEARCH_MAX}
        autoComplete="off"
        spellCheck={false}
        value={text}
        leftSection={
          waiting ? <PendingRing key={text} /> : isDelayed ? <Loader size={16} /> : <Icon name="search" size={16} />
        }
        rightSection={text === '' ? <Hint /> : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={hidden.unseen}>
        {waiting ? 'Search starts in a moment' : isDelayed ? 'Searching' : ''}
      </span>
    </search>
  );
}

function Hint() {
  return (
    <Kbd className={classes.hint ?? ''} c="dimmed" size="xs" aria-hidden="true">
      /
    </Kbd>
  );
}

/** The ring closes during the second before the search. */
function PendingRing() {
  return (
    <svg className={classes.ring} viewBox="0 0 16 16" width={16} height={16} aria-hidden="true" data-pending>
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="6" pathLength="1" style={{ animationDuration: `${SEARCH_IDLE_MS}ms` }} />
    </svg>
  );
}

interface DebouncedSearch {
  text: string;
  /** A key was pressed and the search has not started yet. */
  waiting: boolean;
  type: (text: string) => void;
  /** Searches immediately and cancels the delay. */
  search: (text: string) => void;
}

/** The text is searched for one second after the last key. `value` is the current search. */
function useDebouncedSearch(value: string, onSearch: (text: string) => void): DebouncedSearch {
  const [text, setText] = useState(value);
  const [waiting, setWaiting] = useState(false);
  const [known, setKnown] = useState({ value, sent: value });

  // Back or a link may change the URL. The typed text must stay when the URL changes because of our own search.
  if (value !== known.value) {
    setKnown({ value, sent: value });
    if (value !== known.sent) {
      setText(value);
      setWaiting(false);
    }
  }

  const search = (wanted: string) => {
    setText(wanted);
    setWaiting(false);
    setKnown({ value, sent: wanted.trim() });
    onSearch(wanted);
  };
  const searchTyped = useEffectEvent(() => search(text));

  // biome-ignore lint/correctness/useExhaustiveDependencies: every key starts the timer again
  useEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => searchTyped(), SEARCH_IDLE_MS);
    return () => clearTimeout(timer);
  }, [waiting, text]);

  const type = (typed: string) => {
    setText(typed);
    setWaiting(true);
  };
  return { text, waiting, type, search };
}
