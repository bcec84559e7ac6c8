import { useRouter } from '@tanstack/react-router';
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';

/** Height of a row in rem, so that larger text gets more space; must match the stylesheet. */
const ROW_REM = 3;

/** Rows rendered on each side of the viewport, so that the focus can move to the next one. */
const OVERSCAN = 3;

/** Scroll positions are kept in memory only. */
const places = new Map<string, number>();

interface VirtualList {
  count: number;
  /** Identifies the list, to restore its scroll position. */
  place: string;
  /** Height of a card in rem; null if rows are not cards. */
  cardRem: number | null;
}

interface VirtualRows {
  body: React.RefObject<HTMLDivElement | null>;
  items: { index: number; top: number }[];
  height: number;
  lastInView: number;
  /** The row that has the focus stays in the document, wherever the list is scrolled. -1 for none. */
  keepRow: (index: number) => void;
}

/** Returns which of `count` rows to render, and their positions, while the window scrolls. */
export function useVirtualRows({ count, place, cardRem }: VirtualList): VirtualRows {
  const body = useRef<HTMLDivElement>(null);
  const kept = useRef(-1);
  const [top, setTop] = useState(0);
  const size = (cardRem ?? ROW_REM) * rootFontSize();
  const rows = useWindowVirtualizer({
    count,
    estimateSize: () => size,
    scrollMargin: top,
    overscan: OVERSCAN,
    rangeExtractor: useCallback((range: Range) => listRows(range, kept.current), []),
    // Rows are cheap and memoized; rendering them synchronously would slow down fast scrolling.
    useFlushSync: false,
  });

  // The virtualizer keeps its initial sizes.
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

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/** The distance of the rows from the top of the page changes when the controls above them wrap. */
function useTop(body: React.RefObject<HTMLDivElement | null>, setTop: (top: number) => void): void {
  useLayoutEffect(() => {
    const measure = () => body.current && setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [body, setTop]);
}

/** Remembers the scroll position of this list and restores it on return. */
function useScrollRestoration(body: React.RefObject<HTMLDivElement | null>, place: string): void {
  const router = useRouter();
  const shown = useRef<string | null>(null);
  useLayoutEffect(() => {
    const restore = () => {
      const offset = places.get(place);
      if (offset !== undefined) window.scrollTo({ top: offset, behavior: 'instant' });
    };
    // Another search or filter in the same table starts at the top, unless the top is visible already.
    if (!places.has(place) && shown.current !== null) scrollToTop(body.current);
    restore();
    shown.current = place;
    // The router scrolls to the top once a new screen has rendered, which is later than this.
    return router.subscribe('onRendered', restore);
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

/** Returns the indexes to render, in order: the rows in and around the viewport, and the one that has the focus. */
export function listRows(range: Range, kept: number): number[] {
  const rows = defaultRangeExtractor(range);
  if (kept < 0 || kept >= range.count || rows.includes(kept)) return rows;
  return kept < range.startIndex ? [kept, ...rows] : [...rows, kept];
}
