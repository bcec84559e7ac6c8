import type { Entry } from '@steward/contract/directory';
import { Icon } from '#platform/page/icon.tsx';
import classes from './entry-actions.module.css';

/** What is done with one entry. */
export type EntryAction = 'edit' | 'delete';

interface EntryActionsProps {
  entry: Entry;
  onAction: (action: EntryAction, entry: Entry) => void;
}

// Rows come by the dozen while somebody scrolls: plain buttons with a plain title cost the least.
/** Edit and Delete, for one row. */
export function EntryActions({ entry, onAction }: EntryActionsProps) {
  return (
    <span className={classes.actions}>
      <button
        type="button"
        className={classes.button}
        aria-label={`Edit ${entry.name}`}
        title="Edit"
        onClick={() => onAction('edit', entry)}
      >
        <Icon name="edit" />
      </button>
      <button
        type="button"
        className={classes.button}
        aria-label={`Delete ${entry.name}`}
        title="Delete"
        data-danger
        onClick={() => onAction('delete', entry)}
      >
        <Icon name="trash" />
      </button>
    </span>
  );
}
