import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { NOTHING, type Selection } from './selection.ts';

/** Each row subscribes on its own, so that selecting one row renders only that row again. */
export interface SelectionStore {
  read(): Selection;
  write(selection: Selection): void;
  subscribe(watcher: () => void): () => void;
  /** Ids of the loaded rows are in order, for ranges. */
  rows(): readonly string[];
  setRows(rows: readonly { id: string }[]): void;
}

function createStore(): SelectionStore {
  let current = NOTHING;
  let loaded: readonly { id: string }[] = [];
  /** The ids are computed on first use, because a list of 100,000 users gets a thousand pages. */
  let rows: readonly string[] | undefined;
  const watchers = new Set<() => void>();
  const tellAll = () => {
    for (const watcher of watchers) watcher();
  };
  return {
    rows() {
      rows ??= loaded.map(({ id }) => id);
      return rows;
    },
    setRows(next) {
      loaded = next;
      rows = undefined;
      tellAll();
    },
    read: () => current,
    write(selection) {
      current = selection;
      tellAll();
    },
    subscribe(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

const NO_ROWS: readonly { id: string }[] = [];

/** Another search or filter starts with an empty selection. */
export function useSelectionStore(place: string, loaded: readonly { id: string }[] | undefined): SelectionStore {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another selection
  const store = useMemo(createStore, [place]);
  useEffect(() => store.setRows(loaded ?? NO_ROWS), [store, loaded]);
  return store;
}

export function useSelection({ subscribe, read }: SelectionStore): Selection {
  return useSyncExternalStore(subscribe, read);
}

/** The component renders again only when the derived value changes. */
export function useSelected<Value extends boolean | string>(
  { subscribe, read }: SelectionStore,
  select: (selection: Selection) => Value,
): Value {
  return useSyncExternalStore(subscribe, () => select(read()));
}
