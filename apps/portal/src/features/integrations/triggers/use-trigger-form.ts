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

/** State of the form: the edits on top of the stored values, which other admins may change in the meantime. */
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
    /** The selected channels that can receive messages. */
    open,
    errors,
    isUnsaved: isChanged(values, stored),
    edit,
    chooseChannels: (wanted: readonly ChosenChannel[]) => {
      edit({ channels: applyChannels(values.channels, wanted) });
      if (isTooMany(values.channels, wanted)) setErrors({ channels: TOO_MANY });
    },
    /** Validates these parts of the form and returns the first error. */
    check: (parts: readonly (keyof TriggerErrors)[]): string | undefined => {
      const found = Object.entries(getErrors(values, open)).filter(([part]) => parts.includes(part as never));
      setErrors(Object.fromEntries(found));
      return found[0]?.[1];
    },
    reset: () => {
      setEdits({});
      setErrors({});
    },
    /** Discards the edits that were saved, unless there are newer ones. */
    markSaved: (sent: TriggerEdits) => setEdits((now) => (now === sent ? {} : now)),
  };
}

/** State of the form. */
export type TriggerFormState = ReturnType<typeof useTriggerForm>;
