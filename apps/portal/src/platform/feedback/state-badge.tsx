import classes from './state-badge.module.css';

/** How a state is to be taken; the word says it too. */
export type Tone = 'quiet' | 'active' | 'warning' | 'danger' | 'undone';

/** How something stands, in a word. */
export function StateBadge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {word}
    </span>
  );
}
