import type { ReactNode } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import classes from './example-rows.module.css';

/** A table of made-up rows, and that they are. */
export function ExampleRows({ children }: { children: ReactNode }) {
  return (
    <div className={classes.examples}>
      <p className={classes.says}>
        <StateBadge tone="undone" word="Example" /> These rows are made up, to show what will stand here.
      </p>
      {children}
    </div>
  );
}
