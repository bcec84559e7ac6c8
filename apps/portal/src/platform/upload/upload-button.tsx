import { Box, Button, Stack, Text } from '@mantine/core';
import { type ComponentType, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { usePressByCommand } from '#platform/page/waiting-command.ts';

export interface UploadDialogProps extends DialogControls {
  teamId: string;
  dropped: readonly File[];
  /** Something is being stored, so the page takes no other file. */
  onBusy: (isBusy: boolean) => void;
  onChanged: () => void;
}

interface UploadButtonProps {
  /** The button; it gets the focus back when the dialog closes. */
  ref: RefObject<HTMLButtonElement | null>;
  label: string;
  /** On a phone this is an icon, because the controls of the list need the space. */
  isIconOnPhone?: boolean;
  /** Id of the button in the command palette. */
  command: string;
  /** Uploads are rare, so its code isn't part of the first load. */
  dialog: ComponentType<UploadDialogProps>;
  teamId: string;
  /** The data of the screen may have changed. */
  onChanged: () => void;
}

const ICON_ON_PHONE = { px: { base: 14, sm: 18 }, miw: { base: 44, sm: 0 }, styles: { section: { margin: 0 } } };
const NO_FILES: readonly File[] = [];

export function UploadButton(props: UploadButtonProps) {
  const { ref: button, dialog: Dialog, teamId, onChanged } = props;
  const [opened, setOpened] = useState(false);
  // Counts openings: each one mounts a new dialog.
  const [time, setTime] = useState(0);
  const [dropped, setDropped] = useState(NO_FILES);
  const [isBusy, setBusy] = useState(false);
  const open = (files: readonly File[]) => {
    // Nothing opens over another dialog, which may have unsaved input.
    if (!opened && document.querySelector('[aria-modal="true"]') !== null) return;
    setDropped(files);
    if (opened) return;
    setOpened(true);
    setTime(time + 1);
  };
  const close = () => {
    setOpened(false);
    setDropped(NO_FILES);
  };
  // The dialog can't restore the focus, because nothing may have had it before a file was dropped.
  useEffect(() => {
    if (time > 0 && !opened) button.current?.focus({ preventScroll: true });
  }, [button, time, opened]);
  return (
    <>
      <OpenButton {...props} onClick={() => open(NO_FILES)} />
      <PageDrop label="Drop your CSV file to preview it" disabled={isBusy} onFiles={open} />
      {time > 0 && (
        <Suspense fallback={null}>
          <Dialog
            key={time}
            teamId={teamId}
            opened={opened}
            dropped={dropped}
            onClose={close}
            onBusy={setBusy}
            onChanged={onChanged}
          />
        </Suspense>
      )}
    </>
  );
}

type OpenButtonProps = Pick<UploadButtonProps, 'ref' | 'label' | 'isIconOnPhone' | 'command'> & { onClick: () => void };

function OpenButton({ ref, label, isIconOnPhone = false, command, onClick }: OpenButtonProps) {
  usePressByCommand(command, ref);
  return (
    <Button
      ref={ref}
      variant="default"
      leftSection={<Icon name="upload" size={16} />}
      {...(isIconOnPhone && ICON_ON_PHONE)}
      onClick={onClick}
    >
      {isIconOnPhone ? (
        <Box component="span" ms={8} className={hidden.unseenOnPhone ?? ''}>
          {label}
        </Box>
      ) : (
        label
      )}
    </Button>
  );
}

interface PageDropProps {
  /** Shown over the page while a file is dragged over it. */
  label: string;
  /** Files are ignored, but must still not make the browser leave the page. */
  disabled?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Files can be dropped anywhere on the page, including on dialogs. */
function PageDrop({ label, disabled = false, onFiles }: PageDropProps) {
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
