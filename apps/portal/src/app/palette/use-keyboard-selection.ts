import { useVirtualizedCombobox } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { Choice } from './choices.ts';
import type { ChoiceGroup } from './use-choices.ts';

/** Which choice the keys have reached: the first one, until they move; what was found for another text is not offered. */
export function useKeyboardSelection(groups: readonly ChoiceGroup[], onChoose: (choice: Choice) => void) {
  const [id, setId] = useState<string>();
  const choices = groups.flatMap((group) => group.choices);
  const at = id === undefined ? -1 : choices.findIndex((choice) => choice.id === id);
  const first = groups[0]?.isStale === true ? -1 : Math.min(0, choices.length - 1);
  const active = at >= 0 ? at : first;
  const reach = (index: number) => setId(choices[index]?.id);
  const combobox = useVirtualizedCombobox({
    opened: true,
    totalOptionsCount: choices.length,
    getOptionId: () => null,
    selectedOptionIndex: active,
    setSelectedOptionIndex: reach,
    onSelectedOptionSubmit: (index) => choices[index] && onChoose(choices[index]),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.shiftKey || !['Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    reach(event.key === 'Home' ? 0 : choices.length - 1);
  };
  return { choices, active, reach, forget: () => setId(undefined), combobox, onKeyDown };
}
