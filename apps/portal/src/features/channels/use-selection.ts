import { useState } from 'react';
import {
  applySelection,
  differsFromStored,
  getMissingChannels,
  isTooMany,
  type Selection,
  type Stored,
} from './default-channels.form.ts';

/** The selection in the form; until it is changed, it follows what is stored. */
export function useSelection(stored: Stored) {
  const [chosen, setChosen] = useState<Selection>();
  const [addExisting, setAddExisting] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const selection: Selection = chosen ?? stored;
  return {
    selection,
    addExisting,
    setAddExisting,
    /** The last change was beyond the limit. */
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
    /** The sent selection is stored; later changes stay. */
    markSaved: (sent: Selection) => {
      setChosen((now) => (now === sent ? undefined : now));
      setAddExisting(false);
    },
  };
}
