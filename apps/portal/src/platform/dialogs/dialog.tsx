import { type ReactNode, Suspense, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';

/** What a dialog is given. */
export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** Off while something is under way: Escape and a press beside the dialog do nothing. */
  closable?: boolean;
  /** Width in pixels on a wide screen. */
  width?: number;
  /** Off when what opened the dialog goes away together with it. */
  returnFocus?: boolean;
  children: ReactNode;
}

// No screen opens with a dialog, so its code stays out of every first load.
const DialogFrame = lazyComponent(async () => (await import('./dialog-frame.tsx')).DialogFrame);

/** Fetches the code of dialogs ahead, where a question may follow that must not need the connection. */
export const preloadDialog = DialogFrame.preload;

/** A dialog over the page: keeps the focus inside, closes by Escape, and gives the focus back. */
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
