import { Button } from '@mantine/core';
import type { RetentionKind, SavedRule } from '@steward/contract/retention/fields';
import { Icon } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { ruleClause } from '../retention-text.ts';
import classes from './waiting-notice.module.css';

interface WaitingNoticeProps {
  kind: RetentionKind;
  /** Names the setting to whoever does not see where the notice stands. */
  title: string;
  rule: SavedRule;
  pending: boolean;
  disabled: boolean;
  onKeepPrevious: () => void;
}

/** Says that a rule waits for its day, and lets one call it back (design §6). */
export function WaitingNotice({ kind, title, rule, pending, disabled, onKeepPrevious }: WaitingNoticeProps) {
  const { effective_at, in_force } = rule;
  if (effective_at === undefined || in_force === undefined) return null;
  return (
    <div className={classes.notice}>
      <span className={classes.mark}>
        <Icon name="clock" />
      </span>
      <div className={classes.words}>
        <p className={classes.text}>
          From <Timestamp at={effective_at} /> on, {ruleClause(kind, rule)}. Until then {ruleClause(kind, in_force)}.
        </p>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Keep the rule of before: ${title}`}
          loading={pending}
          disabled={disabled}
          onClick={onKeepPrevious}
        >
          Keep the rule of before
        </Button>
      </div>
    </div>
  );
}
