import { type RefObject, useRef } from 'react';
import { blankIn, caretAtFirst, nameAt, offsetOf, type Range } from './template-text.ts';

/** A place in a template; both count from 1. */
export interface Spot {
  line: number;
  column: number;
}

/** What buttons beside the text field do in it. */
export interface Editor {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Somebody has put the caret somewhere. */
  onFocus: () => void;
  /** Puts the caret there. */
  jump: (spot: Spot) => void;
  /** Replaces the name that stands there. */
  mend: (spot: Spot, name: string) => void;
  /** Writes at the caret; a blank in it is selected, to be filled in. */
  insert: (text: string) => void;
}

/** Hands for a text field. */
export function useEditor(): Editor {
  const field = useRef<HTMLTextAreaElement>(null);
  const wasUsed = useRef(false);
  const within = (act: (area: HTMLTextAreaElement) => void) => field.current !== null && act(field.current);
  return {
    field,
    onFocus: () => {
      wasUsed.current = true;
    },
    jump: (spot) =>
      within((area) => {
        const at = offsetOf(area.value, spot);
        select(area, { start: at, end: at });
        area.parentElement?.querySelector(`[data-line="${spot.line}"]`)?.scrollIntoView({ block: 'nearest' });
      }),
    mend: (spot, name) =>
      within((area) => {
        const range = nameAt(area.value, offsetOf(area.value, spot));
        if (range !== undefined) write(area, range, name);
      }),
    insert: (text) =>
      within((area) => {
        const first = caretAtFirst(area.value);
        const start = wasUsed.current ? area.selectionStart : first;
        write(area, { start, end: wasUsed.current ? area.selectionEnd : first }, text);
        const blank = blankIn(text);
        if (blank !== undefined) select(area, { start: start + blank.start, end: start + blank.end });
      }),
  };
}

function select(area: HTMLTextAreaElement, { start, end }: Range): void {
  area.focus();
  area.setSelectionRange(start, end);
}

/** As if it were typed, so that the browser can undo it; the other way is for browsers that have given that up. */
function write(area: HTMLTextAreaElement, range: Range, text: string): void {
  select(area, range);
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, range.start, range.end, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
