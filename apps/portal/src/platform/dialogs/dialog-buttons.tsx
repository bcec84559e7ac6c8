import { Group } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';

export function DialogButtons({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" gap={8} mt={24}>
      {children}
    </Group>
  );
}

/** A key that is still held down must not press the button that confirms. */
export function ignoreRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
