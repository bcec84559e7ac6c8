import { useRef } from 'react';
import { getTypedText, type KeyPress } from './shortcut.ts';

/** Text typed before the palette was ready to receive it, and whether it is ready now. */
export interface TypeAheadState {
  text: string;
  isReady: boolean;
}

/** Keeps what is typed right after the shortcut: the first time, the palette's code is still loading. */
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
