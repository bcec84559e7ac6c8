import type { IntegrationDetail } from '@steward/contract/integrations';
import { useMemo, useState } from 'react';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import {
  applyChannels,
  channelStates,
  getErrors,
  isChanged,
  isTooMany,
  openChannels,
  storedValues,
  TOO_MANY,
  type TriggerEdits,
  type TriggerErrors,
} from './trigger.form.ts';

/** What somebody has entered, above what is stored; untouched, it follows what others store meanwhile. */
export function useTriggerForm(detail: IntegrationDetail | undefined) {
  const stored = useMemo(() => storedValues(detail), [detail]);
  const states = useMemo(() => channelStates(detail), [detail]);
  const [edits, setEdits] = useState<TriggerEdits>({});
  const [faults, setErrors] = useState<TriggerErrors>({});
  const values = { ...stored, ...edits };
  const open = openChannels(values.channels, states);

  const edit = (part: TriggerEdits) => {
    setEdits((before) => ({ ...before, ...part }));
    setErrors({});
  };
  return {
    values,
    edits,
    states,
    /** The chosen channels that something can be posted in. */
    open,
    faults,
    isUnsaved: isChanged(values, stored),
    edit,
    chooseChannels: (wanted: readonly ChosenChannel[]) => {
      edit({ channels: applyChannels(values.channels, wanted) });
      if (isTooMany(values.channels, wanted)) setErrors({ channels: TOO_MANY });
    },
    /** Says what is against these parts of the form; nothing when there is nothing. */
    check: (parts: readonly (keyof TriggerErrors)[]): string | undefined => {
      const found = Object.entries(getErrors(values, open)).filter(([part]) => parts.includes(part as never));
      setErrors(Object.fromEntries(found));
      return found[0]?.[1];
    },
    reset: () => {
      setEdits({});
      setErrors({});
    },
    /** What was entered is stored now; what was entered since stays. */
    markSaved: (sent: TriggerEdits) => setEdits((now) => (now === sent ? {} : now)),
  };
}

/** The form in work. */
export type TriggerFormState = ReturnType<typeof useTriggerForm>;
