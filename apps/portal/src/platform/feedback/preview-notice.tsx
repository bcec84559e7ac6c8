import type { ReactNode } from 'react';
import { Drawing } from '#platform/page/icon.tsx';
import classes from './preview-notice.module.css';

/** Says that a screen only shows how something will look, and what is not behind it yet. */
export function PreviewNotice({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={classes.notice}>
      <span className={classes.mark}>
        <Drawing>
          <circle cx="10" cy="10" r="7" />
          <path d="M10 9.5v4M10 6.6v.1" />
        </Drawing>
      </span>
      <p className={classes.text}>{children}</p>
    </div>
  );
}
