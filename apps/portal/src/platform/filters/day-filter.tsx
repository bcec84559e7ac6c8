import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';

/** While the year is typed, browsers report years such as 0002, which are ignored. */
export function DayFilter({
  label,
  day,
  onPick,
}: {
  label: 'From' | 'To';
  day: string;
  onPick: (day: string) => void;
}) {
  const [typed, setTyped] = useState({ of: day, text: day });
  const text = typed.of === day ? typed.text : day;
  return (
    <TextInput
      w="10.75rem"
      miw={0}
      type="date"
      aria-label={label === 'From' ? 'From date' : 'To date'}
      min="2000-01-01"
      max="2999-12-31"
      leftSection={
        <Text span aria-hidden="true" w="100%" ps={12} c="dimmed" fz="0.8125rem">
          {label}
        </Text>
      }
      leftSectionWidth={50}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        const isDone = value === '' || value >= '2000';
        setTyped({ of: isDone ? value : day, text: value });
        if (isDone && value !== day) onPick(value);
      }}
    />
  );
}
