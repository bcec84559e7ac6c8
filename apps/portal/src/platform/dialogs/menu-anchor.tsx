import { Box } from '@mantine/core';
import type { Ref } from 'react';

interface MenuAnchorProps {
  label?: string;
  id?: string;
  ref?: Ref<HTMLSpanElement>;
}

/** Positions a menu or a panel at the button in the same `pos="relative"` parent. The button keeps its own focus and name. */
export function MenuAnchor({ label, id, ref }: MenuAnchorProps) {
  return (
    <Box
      ref={ref}
      id={id}
      component="span"
      aria-hidden="true"
      pos="absolute"
      inset={0}
      c="transparent"
      style={{ overflow: 'hidden', pointerEvents: 'none', textIndent: '100%', whiteSpace: 'nowrap' }}
    >
      {label}
    </Box>
  );
}
