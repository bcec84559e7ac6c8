/** Selected rows of a list can include rows that aren't loaded. */
export interface Selection {
  /** If set, all matching rows are selected except `ids`. */
  isAll: boolean;
  ids: ReadonlySet<string>;
  /** Shift extends a range from this row. */
  anchor: string | null;
}

export const NOTHING: Selection = { isAll: false, ids: new Set(), anchor: null };

export const EVERYTHING: Selection = { isAll: true, ids: new Set(), anchor: null };

export function isChosen({ isAll, ids }: Selection, id: string): boolean {
  return ids.has(id) !== isAll;
}

/** If the total is unknown, a selection of all but some rows isn't empty. */
export function isEmpty({ isAll, ids }: Selection): boolean {
  return !isAll && ids.size === 0;
}

export function toggle(selection: Selection, id: string): Selection {
  return { ...choose(selection, [id], !isChosen(selection, id)), anchor: id };
}

/** Without an anchor in the list, only this row is selected. */
export function extendTo(selection: Selection, rows: readonly string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : rows.indexOf(selection.anchor);
  const to = rows.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return choose(selection, range, true);
}

export function choose(selection: Selection, rows: readonly string[], isOn: boolean): Selection {
  const ids = new Set(selection.ids);
  for (const id of rows) {
    if (isOn === selection.isAll) ids.delete(id);
    else ids.add(id);
  }
  return { ...selection, ids };
}

/** Returns null while the total is unknown. */
export function countChosen({ isAll, ids }: Selection, total: number | null): number | null {
  if (!isAll) return ids.size;
  return total === null ? null : Math.max(total - ids.size, 0);
}

/**
 * Every page of a long list calls this again, so rows are read only until the result is known, and not at all while
 * nothing is selected.
 */
export function getChosenPart(selection: Selection, rows: () => readonly string[]): 'all' | 'some' | 'none' {
  if (isEmpty(selection)) return 'none';
  const loaded = rows();
  const hasChosen = loaded.some((id) => isChosen(selection, id));
  if (!hasChosen) return 'none';
  return loaded.every((id) => isChosen(selection, id)) ? 'all' : 'some';
}
