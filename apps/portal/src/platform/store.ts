import { useSyncExternalStore } from 'react';

/** A value outside of React that components can watch. */
export interface Store<Value> {
  get: () => Value;
  /** Notifies the watchers even if the value is the same. */
  set: (value: Value) => void;
  /** Calls `watcher` at each change, until the returned function is called. */
  subscribe: (watcher: () => void) => () => void;
}

export function createStore<Value>(initial: Value): Store<Value> {
  let current = initial;
  const watchers = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const watcher of watchers) watcher();
    },
    subscribe(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export function useStore<Value>({ subscribe, get }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, get);
}
