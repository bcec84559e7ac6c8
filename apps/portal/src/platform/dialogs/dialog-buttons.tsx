import type { ReactNode } from 'react';
import classes from './dialog.module.css';

/** The answers to a dialog, at its end. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
