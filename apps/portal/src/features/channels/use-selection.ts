import { useState } from 'react';
import {
  applySelection,
  differsFromStored,
  getMissingChannels,
  isTooMany,
  type Selection,
  type Stored,
} from './default-channels.form.ts';

/** What somebody has chosen, above what is stored; untouched, it follows what others store meanwhile. */
export function useSelection(stored: Stored) {
  const [chosen, setChosen] = useState<Selection>();
  const [addExisting, setAddExisting] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const selection: Selection = chosen ?? stored;
  return {
    selection,
    addExisting,
    setAddExisting,
    /** The last change would have been too much. */
    isRefused,
    missing: getMissingChannels(selection),
    isUnsaved: addExisting || differsFromStored(selection, stored),
    choose: (wanted: Selection) => {
      setChosen(applySelection(selection, wanted));
      setRefused(isTooMany(selection, wanted));
    },
    reset: () => {
      setChosen(undefined);
      setAddExisting(false);
      setRefused(false);
    },
    /** What was chosen is stored now; what was changed since stays. */
    markSaved: (sent: Selection) => {
      setChosen((now) => (now === sent ? undefined : now));
      setAddExisting(false);
    },
  };
}
