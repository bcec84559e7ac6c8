import classes from './upload.module.css';
import { formatNumber } from './upload-text.ts';

/** Numbers under their words, side by side. */
export function Counts({ counts }: { counts: readonly (readonly [word: string, count: number])[] }) {
  return (
    <dl className={classes.counts}>
      {counts.map(([word, count]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
