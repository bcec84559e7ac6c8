import { useRef } from 'react';
import { getTypedText, type KeyPress } from './shortcut.ts';

/** What was typed before the palette was there to take it, and whether it is by now. */
export interface TypeAheadState {
  text: string;
  isReady: boolean;
}

/** Who opens the palette by its keys types on at once, and the first time its code is still on its way. */
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
