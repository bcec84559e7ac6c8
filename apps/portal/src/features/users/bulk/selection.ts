/** Chosen rows of a list: these, or all but these, also those that aren't loaded. */
export interface Selection {
  /** All that match the list are chosen, except `ids`. */
  isAll: boolean;
  ids: ReadonlySet<string>;
  /** The row from which Shift extends a range. */
  anchor: string | null;
}

/** Nothing is chosen. */
export const NOTHING: Selection = { isAll: false, ids: new Set(), anchor: null };

/** Everything that matches is chosen. */
export const EVERYTHING: Selection = { isAll: true, ids: new Set(), anchor: null };

export function isChosen({ isAll, ids }: Selection, id: string): boolean {
  return ids.has(id) !== isAll;
}

/** Whether anything is chosen; of an unknown number of rows, all but some may be none. */
export function isEmpty({ isAll, ids }: Selection): boolean {
  return !isAll && ids.size === 0;
}

/** Chooses a row, or no longer. */
export function toggle(selection: Selection, id: string): Selection {
  return { ...choose(selection, [id], !isChosen(selection, id)), anchor: id };
}

/** Chooses every row from the anchor to this one; without an anchor in the list, this one. */
export function extendTo(selection: Selection, rows: readonly string[], id: string): Selection {
  const from = selection.anchor === null ? -1 : rows.indexOf(selection.anchor);
  const to = rows.indexOf(id);
  if (from < 0 || to < 0) return toggle(selection, id);
  const range = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  return choose(selection, range, true);
}

/** Chooses all of these rows, or none of them. */
export function choose(selection: Selection, rows: readonly string[], isOn: boolean): Selection {
  const ids = new Set(selection.ids);
  for (const id of rows) {
    if (isOn === selection.isAll) ids.delete(id);
    else ids.add(id);
  }
  return { ...selection, ids };
}

/** How many rows are chosen; null while the number of all is unknown. */
export function countChosen({ isAll, ids }: Selection, total: number | null): number | null {
  if (!isAll) return ids.size;
  return total === null ? null : Math.max(total - ids.size, 0);
}

/**
 * Whether all of the loaded rows are chosen, some or none. Every page of a long list asks again, so rows are read only until that is
 * known, and not at all while nothing is chosen.
 */
export function getChosenPart(selection: Selection, rows: () => readonly string[]): 'all' | 'some' | 'none' {
  if (isEmpty(selection)) return 'none';
  const loaded = rows();
  const hasChosen = loaded.some((id) => isChosen(selection, id));
  if (!hasChosen) return 'none';
  return loaded.every((id) => isChosen(selection, id)) ? 'all' : 'some';
}
