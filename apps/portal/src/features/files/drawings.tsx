import type { ReactNode } from 'react';
import { Drawing } from '#platform/page/icon.tsx';
import type { FileKind } from './samples.ts';

const SHEET = 'M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4';

const KINDS: Record<FileKind, ReactNode> = {
  video: <path d="M2.5 5h10v10h-10zM12.5 9l5-3v8l-5-3" />,
  image: (
    <>
      <path d="M3 4h14v12H3zM3 13.5l4-4 3.5 3.5 2.5-2.5 4 4" />
      <circle cx="13" cy="7.5" r="1.2" />
    </>
  ),
  text: <path d={`${SHEET}M7.5 10h5.5M7.5 13h5.5`} />,
  xml: <path d="M7 6 3 10l4 4M13 6l4 4-4 4M11.2 4.5l-2.4 11" />,
  office: <path d={`${SHEET}M7.5 9.5h5.5v5H7.5zM7.5 12h5.5M10.2 9.5v5`} />,
  other: <path d={SHEET} />,
};

/** What stands for a kind of file. */
export function KindDrawing({ kind }: { kind: FileKind }) {
  return <Drawing>{KINDS[kind]}</Drawing>;
}

/** A sheet with an arrow out of it. */
export function OpenDrawing() {
  return (
    <Drawing size={16}>
      <path d="M9 4H4v12h12v-5M12 3h5v5M17 3l-7.5 7.5" />
    </Drawing>
  );
}

/** A pair of scissors. */
export function CutDrawing() {
  return (
    <Drawing size={16}>
      <circle cx="6" cy="15" r="2.3" />
      <circle cx="14" cy="15" r="2.3" />
      <path d="M12.7 13 6 3M7.3 13 14 3" />
    </Drawing>
  );
}
