import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** Which dialog is open; it keeps what it is about while it closes, so that no name disappears before the dialog does. */
export interface Asked<What, About> {
  what: What;
  about: About | null;
  opened: boolean;
  /** Counts openings: each gets a fresh dialog. */
  time: number;
}

/** One dialog of a screen at a time. */
export interface Asking<What, About> {
  asked: Asked<What, About>;
  open: (what: What, about?: About) => void;
  close: () => void;
}

/** What opened a dialog, and where it stood in a list. */
interface Opener {
  element: Element | null;
  /** Of its row; -1 outside a list. */
  row: number;
  /** Its place among the buttons of that row. */
  button: number;
}

/** Which dialog is asked for; `otherwise` gets the focus when what opened the last one is gone with its list. */
export function useDialogState<What, About>(
  first: What,
  otherwise: RefObject<HTMLElement | null>,
): Asking<What, About> {
  const [asked, setAsked] = useState<Asked<What, About>>({ what: first, about: null, opened: false, time: 0 });
  const opener = useRef<Opener>({ element: null, row: -1, button: -1 });
  const open = useCallback((what: What, about?: About) => {
    opener.current = captureOpener();
    setAsked(({ time }) => ({ what, about: about ?? null, opened: true, time: time + 1 }));
  }, []);
  const close = useCallback(() => setAsked((before) => ({ ...before, opened: false })), []);

  // A dialog that is rendered open has not seen where the focus was, so it cannot give it back itself.
  useEffect(() => {
    if (asked.opened || asked.time === 0) return;
    const { element } = opener.current;
    const target = element?.isConnected ? element : (findFocusFallback(opener.current) ?? otherwise.current);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, [asked.opened, asked.time, otherwise]);
  return { asked, open, close };
}

function captureOpener(): Opener {
  const element = document.activeElement;
  const row = element?.closest('[data-row]');
  if (!row) return { element, row: -1, button: -1 };
  return { element, row: Number(row.getAttribute('data-row')), button: [...buttonsIn(row)].indexOf(element as never) };
}

/** A row that was deleted, or went elsewhere, leaves the focus to the one that stands in its place now, or above. */
function findFocusFallback({ row, button }: Opener): HTMLElement | undefined {
  for (const index of row < 0 ? [] : [row, row - 1]) {
    const fallbackRow = document.querySelector(`[data-row="${index}"]`);
    if (fallbackRow) return buttonsIn(fallbackRow)[button];
  }
  return undefined;
}

function buttonsIn(row: Element): NodeListOf<HTMLElement> {
  return row.querySelectorAll<HTMLElement>('button');
}
