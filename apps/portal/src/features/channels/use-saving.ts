import { useState } from 'react';
import { createRepeatKeys } from '#platform/api/repeat-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useSaveDefaultChannels } from './channels.queries.ts';
import { idsOf, type Selection, type Stored } from './default-channels.form.ts';

interface Entered {
  teamId: string;
  stored: Stored;
  selection: Selection;
  addExisting: boolean;
  /** What was chosen is stored now. */
  onSaved: (selection: Selection) => void;
}

/** Saves at once, or asks first when people who are in the team already shall join too. */
export function useSaving({ teamId, stored, selection, addExisting, onSaved }: Entered) {
  const saving = useSaveDefaultChannels(teamId, stored);
  const [isAsking, setAsking] = useState(false);
  const [keyFor, setKeyFor] = useState(createRepeatKeys);
  const send = () => {
    const idempotencyKey = keyFor({ ids: idsOf(selection), addExisting });
    saving.mutate(
      { selection, addExisting, idempotencyKey },
      {
        onSuccess: () => {
          onSaved(selection);
          // The same once more is another change, and not this one sent again.
          setKeyFor(() => createRepeatKeys());
          showAlert({ kind: 'success', text: 'Saved Successfully' });
        },
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: () => setAsking(false),
      },
    );
  };
  return {
    save: () => {
      saving.reset();
      if (addExisting) setAsking(true);
      else send();
    },
    confirm: send,
    isAsking,
    cancel: () => setAsking(false),
    isSaving: saving.isPending,
    /** Why the last try failed; stays beside the form until the next. */
    failure: saving.error?.message,
  };
}
