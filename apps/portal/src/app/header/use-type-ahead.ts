import { useRef } from 'react';
import { getTypedText, type KeyPress } from './shortcut.ts';

export interface TypeAheadState {
  text: string;
  isReady: boolean;
}

/** Keeps text that is typed right after the shortcut, because the palette's code loads only on first use. */
export function useTypeAhead(opened: boolean): {
  ahead: TypeAheadState;
  take: (event: KeyboardEvent & KeyPress) => void;
} {
  const { current: ahead } = useRef<TypeAheadState>({ text: '', isReady: false });
  const take = (event: KeyboardEvent & KeyPress) => {
    const text = opened && !ahead.isReady ? getTypedText(event, ahead.text) : undefined;
    if (text === undefined) return;
    event.preventDefault();
    ahead.text = text;
  };
  return { ahead, take };
}
