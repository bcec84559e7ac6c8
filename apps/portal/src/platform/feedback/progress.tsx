import classes from './progress.module.css';

interface ProgressBarProps {
  /** What is under way, read out as its name. */
  label: string;
  value: number;
  /** 0 while it is not known. */
  max: number;
  /** The same in words, shown below. */
  text: string;
}

/** How far something is, as a bar and in words. */
export function ProgressBar({ label, value, max, text }: ProgressBarProps) {
  return (
    <div className={classes.progress}>
      <progress
        className={classes.bar}
        aria-label={label}
        aria-valuetext={text}
        {...(max > 0 && { value: Math.min(value, max), max })}
      />
      <p className={classes.text}>{text}</p>
    </div>
  );
}
