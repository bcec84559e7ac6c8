import { Tooltip } from '@mantine/core';
import type { RefObject } from 'react';

/** A sentence beside the element that has the pointer or the focus, shown as long as it is rendered. */
export function Hint({ target, label }: { target: RefObject<HTMLElement | null>; label: string }) {
  return (
    <Tooltip target={target} opened label={label} multiline w={220} position="left" portalProps={{ target: '#main' }} />
  );
}
