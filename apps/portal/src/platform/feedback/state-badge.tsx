import classes from './state-badge.module.css';

/** The color of a state. The word says the same. */
export type Tone = 'quiet' | 'active' | 'info' | 'success' | 'warning' | 'danger' | 'undone';

export function StateBadge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {word}
    </span>
  );
}
