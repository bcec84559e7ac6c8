import type { RunState } from '@steward/contract/retention';
import { STATE_WORDS } from './retention-words.ts';
import classes from './run-badge.module.css';

/** How a run stands, in a word. */
export function RunBadge({ state }: { state: RunState }) {
  return (
    <span className={classes.badge} data-state={state}>
      {STATE_WORDS[state]}
    </span>
  );
}
