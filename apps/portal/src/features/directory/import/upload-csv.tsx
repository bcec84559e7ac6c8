import { Button } from '@mantine/core';
import { type RefObject, Suspense, useEffect, useState } from 'react';
import { PageDrop } from '#platform/files/page-drop.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';

// Uploads are rare, so their code isn't part of the first load.
const UploadDialog = lazyComponent(async () => (await import('./upload-dialog.tsx')).UploadDialog);

interface UploadCsvProps {
  /** The button; it gets the focus back when the dialog closes. */
  ref: RefObject<HTMLButtonElement | null>;
  teamId: string;
  /** Entries may have changed. */
  onChanged: () => void;
}

const NO_FILES: readonly File[] = [];

/** The button that opens the upload dialog, and the page as a drop target. */
export function UploadCsv({ ref: button, teamId, onChanged }: UploadCsvProps) {
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
      <Button
        ref={button}
        data-command="upload entries"
        variant="default"
        leftSection={<Icon name="upload" size={16} />}
        onClick={() => open(NO_FILES)}
      >
        Upload CSV
      </Button>
      <PageDrop label="Drop your CSV file to preview it" disabled={isBusy} onFiles={open} />
      {time > 0 && (
        <Suspense fallback={null}>
          <UploadDialog
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
