import type { KeyboardEvent } from 'react';

/** A key that is still held down must not press the button that confirms. */
export function ignoreRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
