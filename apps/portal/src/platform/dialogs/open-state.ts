import { useEffect, useState, useSyncExternalStore } from 'react';

/** Any screen can open a dialog of the shell. */
export interface OpenState {
  open: () => void;
  close: () => void;
  /** A React hook. */
  useIsOpen: () => boolean;
}

export function createOpenState(): OpenState {
  let isOpen = false;
  const listeners = new Set<() => void>();
  const set = (value: boolean) => {
    isOpen = value;
    for (const notify of listeners) notify();
  };
  const subscribe = (notify: () => void) => {
    listeners.add(notify);
    return () => listeners.delete(notify);
  };
  return {
    open: () => set(true),
    close: () => set(false),
    useIsOpen: () => useSyncExternalStore(subscribe, () => isOpen),
  };
}

/**
 * `opened`, but never in the first render: a dialog that is mounted open would not know which element had the focus, and could
 * not restore it.
 */
export function useOpenAfterMount(opened: boolean): boolean {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(opened), [opened]);
  return isShown;
}
