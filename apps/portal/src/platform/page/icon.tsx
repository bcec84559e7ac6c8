import type { ReactNode } from 'react';

/** Drawings on a 20-unit square, stroked in the text's colour. */
const DRAWINGS = {
  people: (
    <>
      <circle cx="7.5" cy="7" r="3" />
      <path d="M2 16.5c.4-3 2.5-4.8 5.5-4.8s5.1 1.8 5.5 4.8M13 4.3a3 3 0 0 1 0 5.4M15.2 12.3c1.6.7 2.6 2.2 2.9 4.2" />
    </>
  ),
  book: <path d="M4 4.5A1.5 1.5 0 0 1 5.5 3H16v14H5.5A1.5 1.5 0 0 1 4 15.5zM4 14.5h12M7.5 6.5h5M7.5 9.5h3" />,
  archive: <path d="M3 4h14v3.5H3zM4.5 7.5V16h11V7.5M8 11h4" />,
  hash: <path d="M7.5 3 6 17M14 3l-1.5 14M3.5 7.5h13.5M3 12.5h13.5" />,
  phone: <path d="M6 2.5h8v15H6zM9 15h2" />,
  plug: <path d="M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3" />,
  home: <path d="M3 9.5 10 3l7 6.5M5 8v9h10V8M8.5 17v-4.5h3V17" />,
  menu: <path d="M3 5.5h14M3 10h14M3 14.5h14" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  warning: <path d="M10 3 2.5 16.5h15zM10 8v4M10 14.3v.2" />,
  offline: <path d="M3 3l14 14M5 9.5a9 9 0 0 1 2.5-1.7M11 7a8 8 0 0 1 4.5 2.5M7.5 12.5a4 4 0 0 1 4-.8M10 16v.1" />,
  swap: <path d="M4 7h11l-3-3M16 13H5l3 3" />,
  chevron: <path d="m6 8 4 4 4-4" />,
  sun: (
    <>
      <circle cx="10" cy="10" r="3.2" />
      <path d="M10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M4.7 15.3l1.4-1.4M13.9 6.1l1.4-1.4" />
    </>
  ),
  moon: <path d="M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5z" />,
  screen: <path d="M3 4h14v9.5H3zM7.5 17h5M10 13.5V17" />,
  leave: <path d="M12 6V3H4v14h8v-3M8.5 10H17M14 7l3 3-3 3" />,
  mail: <path d="M3 5h14v10.5H3zM3.5 5.5 10 11l6.5-5.5" />,
  key: (
    <>
      <circle cx="6.5" cy="13" r="3.5" />
      <path d="m9 10.5 7.5-7.5M13.5 6l2 2" />
    </>
  ),
  search: (
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="m13 13 4 4" />
    </>
  ),
  filter: <path d="M3 5.5h14M5.5 10h9M8 14.5h4" />,
  download: <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />,
  upload: <path d="M10 12.5V3M6 6.5l4-4 4 4M3.5 16.5h13" />,
  undo: <path d="M7.5 4 4 7.5 7.5 11M4 7.5h7.5a4.5 4.5 0 0 1 0 9H8" />,
  clock: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M10 6v4.2l2.8 1.8" />
    </>
  ),
  play: <path d="M6 4v12l10-6z" />,
  copy: <path d="M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7" />,
  shield: <path d="M10 2.5 16 5v4.5c0 3.8-2.5 6.6-6 8-3.5-1.4-6-4.2-6-8V5zM7.5 10l2 2 3.5-4" />,
  lock: <path d="M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v2" />,
  pin: <path d="M7 3h6M8 3l-.5 5.5L5 11v1h10v-1l-2.5-2.5L12 3M10 12v5" />,
  plus: <path d="M10 4v12M4 10h12" />,
  dots: <path d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth="2.4" />,
  edit: <path d="M4 16l.7-3.2L13.5 4l2.5 2.5-8.8 8.8zM11.5 6l2.5 2.5" />,
  trash: <path d="M3.5 5.5h13M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 9v4.5M11.5 9v4.5" />,
  card: <path d="M2.5 5h15v10.5h-15zM2.5 8.5h15M5.5 12.5h3" />,
  folder: <path d="M2.5 16V4.5h5l2 2.5h8v9z" />,
  retry: <path d="M15.5 7A6.5 6.5 0 1 0 16.5 11M16 3v4h-4" />,
} satisfies Record<string, ReactNode>;

/** Name of a drawing. */
export type IconName = keyof typeof DRAWINGS;

/** A small drawing beside a word; hidden from screen readers, because the word says it. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return <Drawing size={size}>{DRAWINGS[name]}</Drawing>;
}

/** The frame of a drawing that only one screen needs, so that it does not come with every first load. */
export function Drawing({ size = 18, children }: { size?: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}
