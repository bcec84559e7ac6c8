import { type RefObject, useRef } from 'react';
import { findBlank, findFirstCaret, findNameAt, getOffset, type Range } from './template-text.ts';

/** A place in a template; both count from 1. */
export interface TextRange {
  line: number;
  column: number;
}

/** What buttons beside the text field do in it. */
export interface Editor {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Somebody has put the caret somewhere. */
  onFocus: () => void;
  /** Puts the caret there. */
  jump: (textRange: TextRange) => void;
  /** Replaces the name that stands there. */
  mend: (textRange: TextRange, name: string) => void;
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
    jump: (textRange) =>
      within((area) => {
        const at = getOffset(area.value, textRange);
        select(area, { start: at, end: at });
        area.parentElement?.querySelector(`[data-line="${textRange.line}"]`)?.scrollIntoView({ block: 'nearest' });
      }),
    mend: (textRange, name) =>
      within((area) => {
        const range = findNameAt(area.value, getOffset(area.value, textRange));
        if (range !== undefined) write(area, range, name);
      }),
    insert: (text) =>
      within((area) => {
        const first = findFirstCaret(area.value);
        const start = wasUsed.current ? area.selectionStart : first;
        write(area, { start, end: wasUsed.current ? area.selectionEnd : first }, text);
        const blank = findBlank(text);
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
