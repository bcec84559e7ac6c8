import { SEARCH_IDLE_MS } from '@steward/contract/api/limits';
import { useEffect, useEffectEvent, useState } from 'react';

interface DebouncedSearch {
  text: string;
  /** A key was pressed and its search has not begun yet. */
  waiting: boolean;
  type: (text: string) => void;
  /** Searches now, whatever was waited for. */
  search: (text: string) => void;
}

/** Search text that runs one second after the last key; `value` is what is being searched for now. */
export function useDebouncedSearch(value: string, onSearch: (text: string) => void): DebouncedSearch {
  const [text, setText] = useState(value);
  const [waiting, setWaiting] = useState(false);
  const [known, setKnown] = useState({ value, sent: value });

  // The address may change without us, by Back or a link; what is being typed must survive our own search's return.
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
