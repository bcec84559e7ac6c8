import type { Entry } from '@steward/contract/directory';
import { Suspense } from 'react';
import type { DialogState } from '#platform/dialogs/dialog-state.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import type { EntryAction } from './entry-actions.tsx';

// Loaded on demand: no visit starts with a dialog.
const EntryDialog = lazyComponent(async () => (await import('./entry-dialog.tsx')).EntryDialog);
const DeleteDialog = lazyComponent(async () => (await import('./delete-dialog.tsx')).DeleteDialog);

/** The dialogs for entries, one at a time. */
export function EntryDialogs({ current, close }: DialogState<EntryAction | 'add', Entry>) {
  const { what, about: entry, opened, time } = current;
  if (time === 0) return null;
  const dialog = { opened, onClose: close };
  return (
    <Suspense fallback={null}>
      {entry !== null && what === 'delete' ? (
        <DeleteDialog key={time} entry={entry} {...dialog} />
      ) : (
        <EntryDialog key={time} entry={entry} {...dialog} />
      )}
    </Suspense>
  );
}
