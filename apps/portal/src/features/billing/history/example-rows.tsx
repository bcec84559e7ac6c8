import type { ReactNode } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import classes from './example-rows.module.css';

/** A table of sample rows with a badge that says so. */
export function ExampleRows({ children }: { children: ReactNode }) {
  return (
    <div className={classes.examples}>
      <p className={classes.says}>
        <StateBadge tone="undone" word="Sample data" />
      </p>
      {children}
    </div>
  );
}
