import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

/** A sentence beside what the pointer or the keyboard is on; shown for as long as it is rendered. */
export function Hint({ target, label }: { target: RefObject<HTMLElement | null>; label: string }) {
  return (
    <Tooltip target={target} opened label={label} multiline w={220} position="left" portalProps={{ target: '#main' }} />
  );
}
