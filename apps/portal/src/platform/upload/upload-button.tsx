import { Box, Button } from '@mantine/core';
import { type ComponentType, type RefObject, Suspense, useEffect, useState } from 'react';
import { PageDrop } from '#platform/files/page-drop.tsx';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';

/** Props of the dialog of an upload. */
export interface UploadDialogProps {
  teamId: string;
  opened: boolean;
  /** Files dropped on the page. */
  dropped: readonly File[];
  onClose: () => void;
  /** Something is being stored, so the page takes no other file. */
  onBusy: (isBusy: boolean) => void;
  onChanged: () => void;
}

interface UploadButtonProps {
  /** The button; it gets the focus back when the dialog closes. */
  ref: RefObject<HTMLButtonElement | null>;
  label: string;
  /** An icon alone on a phone, where the controls of the list need the room. */
  isIconOnPhone?: boolean;
  /** Id of the button in the command palette. */
  command: string;
  /** Uploads are rare, so its code isn't part of the first load. */
  dialog: ComponentType<UploadDialogProps>;
  teamId: string;
  /** What the screen shows may have changed. */
  onChanged: () => void;
}

const ICON_ON_PHONE = { px: { base: 14, sm: 18 }, miw: { base: 44, sm: 0 }, styles: { section: { margin: 0 } } };
const NO_FILES: readonly File[] = [];

/** The button that opens the dialog of an upload, and the page as a drop target. */
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
  // The dialog can't return the focus itself: before a file was dropped, nothing may have had it.
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
  return (
    <Button
      ref={ref}
      data-command={command}
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
