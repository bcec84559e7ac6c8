import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { createStore, type Store } from '#platform/store.ts';
import { NOTHING, type Selection } from './selection.ts';

/** Each row subscribes on its own, so that selecting one row renders only that row again. */
export interface SelectionStore extends Store<Selection> {
  /** Ids of the loaded rows are in order, for ranges. */
  rows(): readonly string[];
  setRows(rows: readonly { id: string }[]): void;
}

function createSelection(): SelectionStore {
  const selection = createStore(NOTHING);
  let loaded: readonly { id: string }[] = [];
  /** The ids are computed on first use, because a list of 100,000 users gets a thousand pages. */
  let rows: readonly string[] | undefined;
  return {
    ...selection,
    rows() {
      rows ??= loaded.map(({ id }) => id);
      return rows;
    },
    setRows(next) {
      loaded = next;
      rows = undefined;
      selection.set(selection.get());
    },
  };
}

const NO_ROWS: readonly { id: string }[] = [];

/** Another search or filter starts with an empty selection. */
export function useSelectionStore(place: string, loaded: readonly { id: string }[] | undefined): SelectionStore {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another selection
  const store = useMemo(createSelection, [place]);
  useEffect(() => store.setRows(loaded ?? NO_ROWS), [store, loaded]);
  return store;
}

/** The component renders again only when the derived value changes. */
export function useSelected<Value extends boolean | string>(
  { subscribe, get }: SelectionStore,
  select: (selection: Selection) => Value,
): Value {
  return useSyncExternalStore(subscribe, () => select(get()));
}
