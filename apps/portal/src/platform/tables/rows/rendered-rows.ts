/**
 * Rows rendered beyond the viewport, where the list was last scrolled to and on the other side. Each costs as much as a visible one
 * whenever the list is scrolled further than a screen. One is enough to move the focus back.
 */
const ROWS_AHEAD = 4;
const ROWS_BEHIND = 1;

/** The first row in the viewport, and whether the list was last scrolled to later rows. */
export interface Scrolled {
  startIndex: number;
  isForward: boolean;
}

/** The same after the list was scrolled, or only rendered again. */
export function follow({ startIndex, isForward }: Scrolled, next: number): Scrolled {
  return { startIndex: next, isForward: next === startIndex ? isForward : next > startIndex };
}

interface Visible {
  startIndex: number;
  endIndex: number;
  /** Rows of the whole list. */
  count: number;
}

/** Indexes of the rows to render, in order: the visible ones, those around them, and the row that has the focus (`kept`, -1 for none). */
export function listRows(
  { startIndex, endIndex, count }: Visible,
  { isForward, kept }: { isForward: boolean; kept: number },
): number[] {
  const [before, after] = isForward ? [ROWS_BEHIND, ROWS_AHEAD] : [ROWS_AHEAD, ROWS_BEHIND];
  const first = Math.max(0, startIndex - before);
  const last = Math.min(count - 1, endIndex + after);
  const rows = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  if (kept < 0 || kept >= count || (kept >= first && kept <= last)) return rows;
  return kept < first ? [kept, ...rows] : [...rows, kept];
}
