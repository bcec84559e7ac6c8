import { CloseButton } from '@mantine/core';
import { Icon } from '#platform/page/icon.tsx';
import classes from './warnings.module.css';

interface WarningsProps {
  /** Whole sentences of the server; none draws nothing. */
  warnings: readonly string[];
  onDismiss?: () => void;
}

/** What an admin should look at. */
export function Warnings({ warnings, onDismiss }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <section className={classes.notice} aria-label="Needs attention">
      <span className={classes.mark}>
        <Icon name="warning" />
      </span>
      <ul className={classes.list}>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      {onDismiss !== undefined && <CloseButton size="sm" aria-label="Dismiss" onClick={onDismiss} />}
    </section>
  );
}
