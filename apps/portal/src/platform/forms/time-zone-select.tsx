import { Select } from '@mantine/core';
import { useState } from 'react';
import { listTimeZones, matchesZone, toZoneOption, type ZoneOption } from '#platform/time/time-zones.ts';
import type { TimeZoneFieldProps } from './time-zone-field.tsx';

export function TimeZoneSelect({ value, onChange, ...field }: TimeZoneFieldProps) {
  const [all, setAll] = useState<readonly ZoneOption[]>();
  const zones = all ?? [toZoneOption(value)];
  return (
    <Select
      {...field}
      label="Time zone"
      searchable
      allowDeselect={false}
      autoComplete="off"
      spellCheck={false}
      // Tab passes the field without opening the list, which would be a stop of its own.
      openOnFocus={false}
      maxDropdownHeight={280}
      data={zones}
      onDropdownOpen={() => setAll(all ?? listTimeZones(value))}
      value={value}
      onChange={(picked) => picked !== null && onChange(picked)}
      filter={({ options, search }) =>
        // The label of the choice is in the field when it gets the focus, and isn't a search.
        zones.some(({ label }) => label === search)
          ? options
          : options.filter((option) => 'value' in option && matchesZone(option, search))
      }
      nothingFoundMessage="No time zone found"
    />
  );
}
