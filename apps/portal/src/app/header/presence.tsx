import type { User } from '@steward/contract/users';
import classes from './header.module.css';

const STATUS_WORDS: Record<User['status'], string> = {
  online: 'Online',
  away: 'Away',
  dnd: 'Do not disturb',
  offline: 'Offline',
};

export function Presence({ status }: { status: User['status'] }) {
  return (
    <span className={classes.status} data-status={status}>
      {STATUS_WORDS[status]}
    </span>
  );
}
