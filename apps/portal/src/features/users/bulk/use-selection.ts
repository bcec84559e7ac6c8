import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { NOTHING, type Selection } from './selection.ts';

/** The selection of a list. Rows subscribe to it one by one, so that choosing one renders only that one again. */
export interface SelectionStore {
  read(): Selection;
  write(selection: Selection): void;
  subscribe(watcher: () => void): () => void;
  /** Ids of the loaded rows in order, for ranges. */
  rows(): readonly string[];
  setRows(rows: readonly { id: string }[]): void;
}

function createStore(): SelectionStore {
  let current = NOTHING;
  let loaded: readonly { id: string }[] = [];
  /** Computed on first use: a list of 100,000 gets a thousand pages. */
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

/** The selection of the list at `place`. Another search or filter starts with nothing chosen. */
export function useSelectionStore(place: string, loaded: readonly { id: string }[] | undefined): SelectionStore {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another selection
  const store = useMemo(createStore, [place]);
  useEffect(() => store.setRows(loaded ?? NO_ROWS), [store, loaded]);
  return store;
}

/** What is chosen. */
export function useSelection({ subscribe, read }: SelectionStore): Selection {
  return useSyncExternalStore(subscribe, read);
}

/** One value derived from what is chosen; renders again only when it changes. */
export function useSelected<Value extends boolean | string>(
  { subscribe, read }: SelectionStore,
  select: (selection: Selection) => Value,
): Value {
  return useSyncExternalStore(subscribe, () => select(read()));
}
