import type { IntegrationDetail } from '@steward/contract/integrations';
import { useMemo, useState } from 'react';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import {
  appliedChannels,
  channelStates,
  faultsOf,
  isChanged,
  isTooMany,
  openChannels,
  storedValues,
  TOO_MANY,
  type TriggerEdits,
  type TriggerFaults,
} from './trigger.form.ts';

/** What somebody has entered, above what is stored; untouched, it follows what others store meanwhile. */
export function useTriggerForm(detail: IntegrationDetail | undefined) {
  const stored = useMemo(() => storedValues(detail), [detail]);
  const states = useMemo(() => channelStates(detail), [detail]);
  const [edits, setEdits] = useState<TriggerEdits>({});
  const [faults, setFaults] = useState<TriggerFaults>({});
  const values = { ...stored, ...edits };
  const open = openChannels(values.channels, states);

  const edit = (part: TriggerEdits) => {
    setEdits((before) => ({ ...before, ...part }));
    setFaults({});
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
      edit({ channels: appliedChannels(values.channels, wanted) });
      if (isTooMany(values.channels, wanted)) setFaults({ channels: TOO_MANY });
    },
    /** Says what is against these parts of the form; nothing when there is nothing. */
    check: (parts: readonly (keyof TriggerFaults)[]): string | undefined => {
      const found = Object.entries(faultsOf(values, open)).filter(([part]) => parts.includes(part as never));
      setFaults(Object.fromEntries(found));
      return found[0]?.[1];
    },
    reset: () => {
      setEdits({});
      setFaults({});
    },
    /** What was entered is stored now; what was entered since stays. */
    settle: (sent: TriggerEdits) => setEdits((now) => (now === sent ? {} : now)),
  };
}

/** The form in work. */
export type TriggerFormState = ReturnType<typeof useTriggerForm>;
