import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from './preview-notice.module.css';

/** Says that a screen only shows how something will look, and what is not behind it yet. */
export function PreviewNotice({ children }: { children: ReactNode }) {
  return (
    <div role="note" className={classes.notice}>
      <span className={classes.mark}>
        <Icon name="info" />
      </span>
      <p className={classes.text}>{children}</p>
    </div>
  );
}
