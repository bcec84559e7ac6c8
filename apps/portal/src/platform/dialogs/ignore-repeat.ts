import type { KeyboardEvent } from 'react';

/** For the button that confirms: a key still held from before must not count as the answer. */
export function ignoreRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
