import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';

/** The opener of a dialog decides if it is open. */
export interface DialogControls {
  opened: boolean;
  onClose: () => void;
}

export interface DialogProps extends DialogControls {
  title: string;
  /** Set to false while something is in progress, so that Escape and presses outside the dialog do nothing. */
  closable?: boolean;
  /** Width in pixels on a wide screen. */
  width?: number;
  /** Set to false if the opener disappears together with the dialog. */
  returnFocus?: boolean;
  children: ReactNode;
}

// No screen opens with a dialog, so its code stays out of every first load.
const DialogFrame = lazyComponent(async () => (await import('./dialog-frame.tsx')).DialogFrame);

/** Preloads the code of dialogs, for questions that must also work without a connection. */
export const preloadDialog = DialogFrame.preload;

/** A modal dialog: traps the focus, closes on Escape, and restores the focus. */
export function Dialog(props: DialogProps) {
  const [wasOpened, setWasOpened] = useState(props.opened);
  if (props.opened && !wasOpened) setWasOpened(true);
  if (!wasOpened && !props.opened) return null;
  return (
    <Suspense fallback={null}>
      <DialogFrame {...props} />
    </Suspense>
  );
}
