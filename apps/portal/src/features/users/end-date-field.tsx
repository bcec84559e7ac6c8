import { TextInput } from '@mantine/core';
import { EndDate } from '@steward/contract/users';
import type { ReactNode } from 'react';

interface EndDateFieldProps {
  label?: string;
  about?: string;
  /** '' for none. */
  value?: string;
  error?: ReactNode;
  onChange?: (day: string) => void;
  /** For fields that can't stay empty. */
  required?: boolean;
}

/** The last day of a membership. While a year is typed, browsers report years such as 0002: only the whole date is checked. */
export function EndDateField({
  label = 'End date',
  about = 'The last day with access, in the team’s time zone.',
  value,
  error,
  onChange,
  required = false,
}: EndDateFieldProps) {
  return (
    <TextInput
      type="date"
      label={label}
      description={`${required ? '' : 'Optional. '}${about}`}
      required={required}
      withAsterisk={false}
      max="9999-12-31"
      styles={{ wrapper: { maxWidth: '12rem' } }}
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
    />
  );
}

/** The date as calls take it. */
export function toEndDate(value: string): string | null {
  return value === '' ? null : value;
}

export function isEndDate(value: string): boolean {
  return EndDate.safeParse(value).success;
}
