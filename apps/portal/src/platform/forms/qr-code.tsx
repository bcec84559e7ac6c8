import { Box } from '@mantine/core';
import { encodeQR } from 'qr';
import { useMemo } from 'react';

/** Cameras need a white border around the code. The unit is modules of the code. */
const BORDER = 2;

/** The code is dark on white in both themes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <Box
      component="svg"
      display="block"
      w={184}
      h={184}
      mx="auto"
      bd="1px solid var(--hairline)"
      bdrs={8}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </Box>
  );
}

function draw(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const path = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size: rows.length, path };
}
