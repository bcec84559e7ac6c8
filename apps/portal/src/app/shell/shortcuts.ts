import { useEffect, useEffectEvent } from 'react';
import { createOpenState } from '#platform/dialogs/open-state.ts';

export const { open: openShortcuts, close: closeShortcuts, useIsOpen: useAreShortcutsOpen } = createOpenState();

/** `?` opens the list, on whichever keys the keyboard layout has it. */
export function useShortcutsKey(): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
    if (key !== '?' || ctrlKey || metaKey || altKey || isComposing || isTyping(target)) return;
    if (document.querySelector('[aria-modal="true"]') !== null) return;
    event.preventDefault();
    openShortcuts();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}
