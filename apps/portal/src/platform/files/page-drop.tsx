import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';
import classes from './page-drop.module.css';

interface PageDropProps {
  /** Shown over the page while a file is dragged over it. */
  label: string;
  /** Files are not taken now; they still must not make the browser leave the page. */
  disabled?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped anywhere on the page, dialogs included. */
export function PageDrop({ label, disabled = false, onFiles }: PageDropProps) {
  const isOver = useDroppedFiles(disabled, onFiles);
  if (!isOver || disabled) return null;
  // Beside everything else: a dialog that is open lies over the place where this is rendered.
  return createPortal(
    <div className={classes.overlay}>
      <div className={classes.sign}>
        <Icon name="upload" size={24} />
        <p className={classes.label}>{label}</p>
      </div>
    </div>,
    document.body,
  );
}

function useDroppedFiles(disabled: boolean, onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const taker = useRef({ disabled, onFiles });
  useEffect(() => {
    taker.current = { disabled, onFiles };
  });
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const drag = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Whoever does not say so at each move lets the browser open the file in place of the page.
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = taker.current.disabled ? 'none' : 'copy';
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0 && !taker.current.disabled) taker.current.onFiles(files);
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
