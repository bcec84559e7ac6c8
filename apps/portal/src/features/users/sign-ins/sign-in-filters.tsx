import { Button, NativeSelect } from '@mantine/core';
import type { SignIn } from '@steward/contract/users/sign-ins';
import type { Ref } from 'react';
import { DayFilter } from '#platform/filters/day-filter.tsx';
import { ListFilters } from '#platform/filters/list-filters.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { PersonFilter } from '#workspace/people/person-filter.tsx';
import { OUTCOMES } from './sign-in-text.ts';
import { type SignInsSearch, withFilter } from './sign-ins-search.ts';

interface SignInFiltersProps {
  ref: Ref<HTMLFieldSetElement>;
  teamId: string;
  search: SignInsSearch;
  /** The first matching row, which has the name of the user in the address. */
  first: SignIn | undefined;
  onChange: (search: SignInsSearch) => void;
}

const RESULTS = [
  { value: '', label: 'All results' },
  ...Object.entries(OUTCOMES).map(([value, { label }]) => ({ value, label })),
];

/** Filters by user, result and date; each applies immediately and is part of the address. */
export function SignInFilters({ ref, teamId, search, first, onChange }: SignInFiltersProps) {
  const set = (name: keyof SignInsSearch) => (value: string) => onChange(withFilter(search, name, value));
  return (
    <ListFilters ref={ref}>
      <PersonFilter
        teamId={teamId}
        label="User"
        person={search.user ?? ''}
        knownName={first !== undefined && first.user_id === search.user ? fullName(first) : undefined}
        onPick={set('user')}
      />
      <NativeSelect
        w="13.5rem"
        aria-label="Result"
        data={RESULTS}
        value={search.result ?? ''}
        rightSection={<Icon name="chevron" size={16} />}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget }) => set('result')(currentTarget.value)}
      />
      <DayFilter label="From" day={search.from ?? ''} onPick={set('from')} />
      <DayFilter label="To" day={search.to ?? ''} onPick={set('to')} />
      {Object.keys(search).length > 0 && (
        <Button variant="subtle" onClick={() => onChange({})}>
          Reset
        </Button>
      )}
    </ListFilters>
  );
}
