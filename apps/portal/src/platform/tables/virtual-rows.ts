import { useRouter } from '@tanstack/react-router';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row in rem, so that larger text gets more room; the stylesheet has the same. */
const ROW_REM = 3.75;
/** Rows kept beside those in view; with a tall screen this stays under 60 rows in the document. */
const OVERSCAN = 8;

/** How far each list was scrolled; in memory only, for coming back to it. */
const places = new Map<string, number>();

interface VirtualList {
  count: number;
  /** Names the list, for coming back to where it was. */
  place: string;
  /** Height of a row that is a card, in rem; null where rows are rows. */
  cardRem: number | null;
}

interface VirtualRows {
  body: React.RefObject<HTMLDivElement | null>;
  items: { index: number; top: number }[];
  height: number;
  /** Index of the last row that the view shows. */
  lastInView: number;
  /** Keeps one row in the document wherever the view is: the one that has the focus. -1 for none. */
  keepRow: (index: number) => void;
}

/** Which of `count` rows to draw, and where, while the window scrolls. */
export function useVirtualRows({ count, place, cardRem }: VirtualList): VirtualRows {
  const body = useRef<HTMLDivElement>(null);
  const kept = useRef(-1);
  const [top, setTop] = useState(0);
  const size = (cardRem ?? ROW_REM) * rootFontSize();
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => size,
    overscan: OVERSCAN,
    scrollMargin: top,
    rangeExtractor: useCallback((range: Range) => withRow(defaultRangeExtractor(range), kept.current, range.count), []),
    // Rows are cheap and memoised; drawing them in the same frame would make a fast scroll wait for each.
    useFlushSync: false,
  });

  // The virtualizer keeps the sizes it was first told.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new size is the reason to measure again
  useLayoutEffect(() => rows.measure(), [size, rows]);
  useTop(body, setTop);
  useScrollRestoration(body, place);

  const items = rows.getVirtualItems().map(({ index, start }) => ({ index, top: start - top }));
  const keepRow = useCallback((index: number) => {
    kept.current = index;
  }, []);
  return { body, items, height: count * size, lastInView: rows.range?.endIndex ?? 0, keepRow };
}

function withRow(indexes: number[], kept: number, count: number): number[] {
  return kept < 0 || kept >= count || indexes.includes(kept) ? indexes : [...indexes, kept].sort((a, b) => a - b);
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** Where the rows begin in the page; what is above them may wrap when the window changes. */
function useTop(body: React.RefObject<HTMLDivElement | null>, setTop: (top: number) => void): void {
  useLayoutEffect(() => {
    const measure = () => body.current && setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [body, setTop]);
}

/** Remembers how far this list is scrolled, and scrolls there again when somebody comes back to it. */
function useScrollRestoration(body: React.RefObject<HTMLDivElement | null>, place: string): void {
  const router = useRouter();
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    const comeBack = () => {
      const offset = places.get(place);
      if (offset !== undefined) window.scrollTo({ top: offset, behavior: 'instant' });
    };
    // Another search or filter in the same table begins at its top, unless the top is in view anyway.
    if (!places.has(place) && shown.current !== null) scrollToTop(body.current);
    comeBack();
    shown.current = place;
    // The router scrolls to the top once a new screen stands, which is after this.
    return router.subscribe('onRendered', comeBack);
  }, [place, body, router]);

  useLayoutEffect(() => {
    const remember = () => places.set(place, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [place]);
}

function scrollToTop(body: HTMLElement | null): void {
  if (body !== null && body.getBoundingClientRect().top < 0) window.scrollTo({ top: 0, behavior: 'instant' });
}
