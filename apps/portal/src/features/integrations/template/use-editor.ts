import { type RefObject, useRef } from 'react';
import { findFirstCaret, findNameAt, findParameter, getOffset, type Range } from './template-text.ts';

/** A position in a template; both count from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Edits the text field from the buttons beside it. */
export interface Editor {
  field: RefObject<HTMLTextAreaElement | null>;
  /** The user has placed the caret. */
  onFocus: () => void;
  /** Moves the caret. */
  moveTo: (position: TextPosition) => void;
  /** Replaces the name at this position. */
  replaceName: (position: TextPosition, name: string) => void;
  /** Inserts at the caret and selects the parameter to fill in, if the text has one. */
  insert: (text: string) => void;
}

export function useEditor(): Editor {
  const field = useRef<HTMLTextAreaElement>(null);
  const wasFocused = useRef(false);
  const within = (edit: (area: HTMLTextAreaElement) => void) => field.current !== null && edit(field.current);
  return {
    field,
    onFocus: () => {
      wasFocused.current = true;
    },
    moveTo: (position) =>
      within((area) => {
        const at = getOffset(area.value, position);
        select(area, { start: at, end: at });
        area.parentElement?.querySelector(`[data-line="${position.line}"]`)?.scrollIntoView({ block: 'nearest' });
      }),
    replaceName: (position, name) =>
      within((area) => {
        const range = findNameAt(area.value, getOffset(area.value, position));
        if (range !== undefined) write(area, range, name);
      }),
    insert: (text) =>
      within((area) => {
        const first = findFirstCaret(area.value);
        const start = wasFocused.current ? area.selectionStart : first;
        write(area, { start, end: wasFocused.current ? area.selectionEnd : first }, text);
        const parameter = findParameter(text);
        if (parameter !== undefined) select(area, { start: start + parameter.start, end: start + parameter.end });
      }),
  };
}

function select(area: HTMLTextAreaElement, { start, end }: Range): void {
  area.focus();
  area.setSelectionRange(start, end);
}

/** Inserts text as if it were typed, so that the browser can undo it, with a fallback for browsers without `insertText`. */
function write(area: HTMLTextAreaElement, range: Range, text: string): void {
  select(area, range);
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, range.start, range.end, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
