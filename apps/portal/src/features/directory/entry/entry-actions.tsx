import type { Entry } from '@steward/contract/directory';
import { Icon } from '#platform/page/icon.tsx';
import classes from './entry-cells.module.css';

export type EntryAction = 'edit' | 'delete';

interface EntryActionsProps {
  entry: Entry;
  onAction: (action: EntryAction, entry: Entry) => void;
}

// Many rows are drawn while the list scrolls: plain buttons with a plain title cost the least.
export function EntryActions({ entry, onAction }: EntryActionsProps) {
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.action}
        aria-label={`Edit ${entry.name}`}
        title="Edit"
        onClick={() => onAction('edit', entry)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className={classes.action}
        aria-label={`Delete ${entry.name}`}
        title="Delete"
        onClick={() => onAction('delete', entry)}
      >
        <Icon name="trash" />
      </button>
    </span>
  );
}
