import { useRef } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from './file-drop.module.css';

interface FileDropProps {
  /** What to choose, such as “Choose a CSV file”. */
  label: string;
  hint: string;
  /** What the system's dialog offers, as in the attribute `accept`. */
  accept: string;
  onFiles: (files: readonly File[]) => void;
}

/** A large button that opens the system's choice of files. Dropping is the page's matter: see `PageDrop`. */
export function FileDrop({ label, hint, accept, onFiles }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={classes.zone} onClick={() => input.current?.click()}>
        <span className={classes.mark}>
          <Icon name="upload" size={22} />
        </span>
        <span className={classes.label}>{label}</span>
        <span className={classes.hint}>{hint}</span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Without this, choosing the same file once more would be no change.
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
