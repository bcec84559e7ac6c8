import { type RefObject, useRef } from 'react';
import { findFirstCaret, findNameAt, findParameter, getOffset, type Range } from './template-text.ts';

/** Line and column start at 1. */
export interface TextPosition {
  line: number;
  column: number;
}

export interface Editor {
  field: RefObject<HTMLTextAreaElement | null>;
  onFocus: () => void;
  moveTo: (position: TextPosition) => void;
  replaceName: (position: TextPosition, name: string) => void;
  /** The parameter of the text, if it has one, is selected for the user to fill in. */
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

/** The text is inserted as if it were typed, so that the browser can undo it. Browsers without `insertText` use a fallback. */
function write(area: HTMLTextAreaElement, range: Range, text: string): void {
  select(area, range);
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, range.start, range.end, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
