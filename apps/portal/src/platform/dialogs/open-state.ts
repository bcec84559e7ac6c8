import { useEffect, useState } from 'react';
import { createStore, useStore } from '#platform/store.ts';

/** Any screen can open a dialog of the shell. */
export interface OpenState {
  open: () => void;
  close: () => void;
  /** A React hook. */
  useIsOpen: () => boolean;
}

export function createOpenState(): OpenState {
  const isOpen = createStore(false);
  return { open: () => isOpen.set(true), close: () => isOpen.set(false), useIsOpen: () => useStore(isOpen) };
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
