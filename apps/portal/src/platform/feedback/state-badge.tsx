import classes from './state-badge.module.css';

/** What a state means at a glance; the word says it too. */
export type Tone = 'quiet' | 'active' | 'info' | 'success' | 'warning' | 'danger' | 'undone';

/** The state of something, in a word. */
export function StateBadge({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {word}
    </span>
  );
}
