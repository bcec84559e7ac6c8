import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

/** The subject is kept while the dialog closes, so that no name disappears before the dialog does. */
export interface CurrentDialog<What, About> {
  what: What;
  about: About | null;
  opened: boolean;
  /** Counts openings, since each mounts a new dialog. */
  time: number;
}

export interface DialogState<What, About> {
  current: CurrentDialog<What, About>;
  open: (what: What, about?: About) => void;
  close: () => void;
}

interface Opener {
  element: Element | null;
  /** Index of its row; -1 outside a list. */
  row: number;
  /** Index among the buttons of that row. */
  button: number;
}

/** `otherwise` gets the focus when the opener is gone together with its list. */
export function useDialogState<What, About>(
  first: What,
  otherwise: RefObject<HTMLElement | null>,
): DialogState<What, About> {
  const [current, setCurrent] = useState<CurrentDialog<What, About>>({
    what: first,
    about: null,
    opened: false,
    time: 0,
  });
  const opener = useRef<Opener>({ element: null, row: -1, button: -1 });
  const open = useCallback((what: What, about?: About) => {
    opener.current = captureOpener();
    setCurrent(({ time }) => ({ what, about: about ?? null, opened: true, time: time + 1 }));
  }, []);
  const close = useCallback(() => setCurrent((before) => ({ ...before, opened: false })), []);

  // A dialog that is mounted open doesn't know where the focus was, so it can't restore it.
  useEffect(() => {
    if (current.opened || current.time === 0) return;
    const { element } = opener.current;
    const target = element?.isConnected ? element : (findFocusFallback(opener.current) ?? otherwise.current);
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }, [current.opened, current.time, otherwise]);
  return { current, open, close };
}

function captureOpener(): Opener {
  const element = document.activeElement;
  const row = element?.closest('[data-row]');
  if (!row) return { element, row: -1, button: -1 };
  return { element, row: Number(row.getAttribute('data-row')), button: [...buttonsIn(row)].indexOf(element as never) };
}

/** When the row was deleted or moved, the focus goes to the row now at its index, or to the one above. */
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
