import { useRef } from 'react';
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'repeat' | 'isComposing'
>;

export function hasCommandKey(platform: string): boolean {
  return /^(Mac|iP)/.test(platform);
}

/** Apple's platforms use ⌘ K, because Ctrl K deletes to the end of a line there. The others use Ctrl K. */
export function isShortcut(pressed: KeyPress, withCommand: boolean): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = pressed;
  if (altKey || shiftKey || repeat || isComposing) return false;
  return (withCommand ? metaKey && !ctrlKey : ctrlKey && !metaKey) && isLetterK(pressed);
}

/** Returns undefined if the key types nothing. */
export function getTypedText(
  { key, ctrlKey, metaKey, altKey, isComposing }: KeyPress,
  text: string,
): string | undefined {
  if (ctrlKey || metaKey || altKey || isComposing) return undefined;
  if (key === 'Backspace') return text.slice(0, -1);
  return [...key].length === 1 ? text + key : undefined;
}

/** On a keyboard without Latin letters the key is identified by its position. */
function isLetterK({ key, code }: KeyPress): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === 'k' : code === 'KeyK';
}

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
