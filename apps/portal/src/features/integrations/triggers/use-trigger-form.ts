import type { IntegrationDetail } from '@steward/contract/integrations';
import { useMemo, useState } from 'react';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import {
  applyChannels,
  filterOpenChannels,
  getChannelStates,
  getErrors,
  getStoredValues,
  isChanged,
  isTooMany,
  TOO_MANY,
  type TriggerEdits,
  type TriggerErrors,
} from './trigger.form.ts';

/** Edits are kept apart from the stored values, which other admins may change in the meantime. */
export function useTriggerForm(detail: IntegrationDetail | undefined) {
  const stored = useMemo(() => getStoredValues(detail), [detail]);
  const states = useMemo(() => getChannelStates(detail), [detail]);
  const [edits, setEdits] = useState<TriggerEdits>({});
  const [errors, setErrors] = useState<TriggerErrors>({});
  const values = { ...stored, ...edits };
  const open = filterOpenChannels(values.channels, states);

  const edit = (part: TriggerEdits) => {
    setEdits((before) => ({ ...before, ...part }));
    setErrors({});
  };
  return {
    values,
    edits,
    states,
    open,
    errors,
    isUnsaved: isChanged(values, stored),
    edit,
    chooseChannels: (wanted: readonly ChosenChannel[]) => {
      edit({ channels: applyChannels(values.channels, wanted) });
      if (isTooMany(values.channels, wanted)) setErrors({ channels: TOO_MANY });
    },
    check: (parts: readonly (keyof TriggerErrors)[]): string | undefined => {
      const found = Object.entries(getErrors(values, open)).filter(([part]) => parts.includes(part as never));
      setErrors(Object.fromEntries(found));
      return found[0]?.[1];
    },
    reset: () => {
      setEdits({});
      setErrors({});
    },
    /** Edits after the save was sent are kept. */
    markSaved: (sent: TriggerEdits) => setEdits((now) => (now === sent ? {} : now)),
  };
}

export type TriggerFormState = ReturnType<typeof useTriggerForm>;
