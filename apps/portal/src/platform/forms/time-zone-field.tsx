import { TextInput } from '@mantine/core';
import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import { toZoneOption } from '#platform/time/time-zones.ts';

export interface TimeZoneFieldProps {
  description: string;
  value: string;
  error?: ReactNode;
  onChange: (zone: string) => void;
}

// A searchable list needs the positioning library, which most screens don't.
const TimeZoneSelect = lazyComponent(async () => (await import('./time-zone-select.tsx')).TimeZoneSelect);

/** A field of the same size stands in for the list until it is loaded. */
export function TimeZoneField(props: TimeZoneFieldProps) {
  const { description, value, error } = props;
  const field = { label: 'Time zone', description, error };
  return (
    <Suspense
      fallback={
        <TextInput
          {...field}
          value={toZoneOption(value).label}
          rightSection={<Icon name="chevron" size={16} />}
          rightSectionPointerEvents="none"
          readOnly
        />
      }
    >
      <TimeZoneSelect {...props} />
    </Suspense>
  );
}
