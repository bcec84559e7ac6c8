import { useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useSaveDefaultChannels } from './channels.queries.ts';
import { getIds, type Selection, type Stored } from './default-channels.form.ts';

interface UseSavingOptions {
  teamId: string;
  stored: Stored;
  selection: Selection;
  addExisting: boolean;
  /** The selection is stored. */
  onSaved: (selection: Selection) => void;
}

/** Saves at once, or asks for confirmation if current members are added too. */
export function useSaving({ teamId, stored, selection, addExisting, onSaved }: UseSavingOptions) {
  const saving = useSaveDefaultChannels(teamId, stored);
  const [isConfirming, setConfirming] = useState(false);
  const [idempotencyKeyFor, setIdempotencyKeyFor] = useState(createIdempotencyKeys);
  const send = () => {
    const idempotencyKey = idempotencyKeyFor({ ids: getIds(selection), addExisting });
    saving.mutate(
      { selection, addExisting, idempotencyKey },
      {
        onSuccess: () => {
          onSaved(selection);
          // Saving the same again is a new change, not a retry of this one.
          setIdempotencyKeyFor(() => createIdempotencyKeys());
          showAlert({ kind: 'success', text: 'Saved Successfully' });
        },
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: () => setConfirming(false),
      },
    );
  };
  return {
    save: () => {
      saving.reset();
      if (addExisting) setConfirming(true);
      else send();
    },
    confirm: send,
    isConfirming,
    cancel: () => setConfirming(false),
    isSaving: saving.isPending,
    /** Why the last attempt failed; shown next to the form until the next one. */
    failure: saving.error?.message,
  };
}
