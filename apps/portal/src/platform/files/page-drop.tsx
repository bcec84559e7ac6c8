import { Box, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';

interface PageDropProps {
  /** Shown over the page while a file is dragged over it. */
  label: string;
  /** Files are ignored; they still must not make the browser leave the page. */
  disabled?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Accepts files that are dropped anywhere on the page, dialogs included. */
export function PageDrop({ label, disabled = false, onFiles }: PageDropProps) {
  const isOver = useDroppedFiles(disabled, onFiles);
  if (!isOver || disabled) return null;
  // In the body, because an open dialog covers the place where this is rendered. Events pass through it to the page.
  return createPortal(
    <Box
      pos="fixed"
      inset={0}
      p="md"
      bg="color-mix(in srgb, var(--mantine-color-body) 82%, transparent)"
      style={{ zIndex: 400, pointerEvents: 'none' }}
    >
      <Stack
        h="100%"
        gap={8}
        align="center"
        justify="center"
        c="var(--mantine-color-anchor)"
        bd="2px dashed var(--mantine-color-anchor)"
        bdrs="lg"
      >
        <Icon name="upload" size={24} />
        <Text fz="1rem" fw={600} c="var(--mantine-color-text)">
          {label}
        </Text>
      </Stack>
    </Box>,
    document.body,
  );
}

function useDroppedFiles(disabled: boolean, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef({ disabled, onFiles });
  useEffect(() => {
    latest.current = { disabled, onFiles };
  });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Without this on each move, the browser would open the file in place of the page.
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = latest.current.disabled ? 'none' : 'copy';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && !latest.current.disabled) latest.current.onFiles(files);
    };
    window.addEventListener('dragenter', drag, { signal });
    window.addEventListener('dragover', drag, { signal });
    window.addEventListener('dragleave', leave, { signal });
    window.addEventListener('drop', drop, { signal });
    return () => ending.abort();
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
