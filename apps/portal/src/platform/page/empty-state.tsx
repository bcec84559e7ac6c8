import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './page.module.css';

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** The heading of the whole screen, when there is no other. */
  isWholeScreen?: boolean;
  /** What this is, and why there is nothing yet. */
  children?: ReactNode;
  /** The one next thing to do. */
  action?: ReactNode;
}

/** What a screen shows when there is nothing to show. */
export function EmptyState({ icon, title, isWholeScreen = false, children, action }: EmptyStateProps) {
  const Heading = isWholeScreen ? 'h1' : 'h2';
  return (
    <div className={classes.notice}>
      {icon !== undefined && (
        <span className={classes.quiet}>
          <Icon name={icon} size={24} />
        </span>
      )}
      <Heading className={classes.noticeTitle}>{title}</Heading>
      {children !== undefined && <div className={classes.noticeText}>{children}</div>}
      {action}
    </div>
  );
}
