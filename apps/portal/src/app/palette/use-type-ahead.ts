import { useRef } from 'react';
import { type Pressed, typedBy } from './shortcut.ts';

/** What was typed before the palette was there to take it, and whether it is by now. */
export interface TypedAhead {
  text: string;
  isReady: boolean;
}

/** Who opens the palette by its keys types on at once, and the first time its code is still on its way. */
export function useTypeAhead(opened: boolean): { ahead: TypedAhead; take: (event: KeyboardEvent & Pressed) => void } {
  const { current: ahead } = useRef<TypedAhead>({ text: '', isReady: false });
  const take = (event: KeyboardEvent & Pressed) => {
    const text = opened && !ahead.isReady ? typedBy(event, ahead.text) : undefined;
    if (text === undefined) return;
    event.preventDefault();
    ahead.text = text;
  };
  return { ahead, take };
}
