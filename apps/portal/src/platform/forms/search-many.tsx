import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import { type ReactNode, useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { getFailureMessage } from '#platform/api/failure.ts';
import { cleanSearch } from '#platform/search/search-text.ts';

export interface Choice {
  id: string;
  name: string;
}

export interface FoundChoices {
  options: readonly Choice[] | undefined;
  /** The options are those of an earlier search. */
  isStale: boolean;
  failure: string | undefined;
}

interface Query {
  error: Failure | null;
  isPlaceholderData: boolean;
}

export function toFound({ error, isPlaceholderData }: Query, options: readonly Choice[] | undefined): FoundChoices {
  return {
    options,
    isStale: isPlaceholderData,
    failure: error === null ? undefined : getFailureMessage(error),
  };
}

interface SearchManyProps {
  label: string;
  placeholder: string;
  description?: ReactNode;
  error?: ReactNode;
  value: readonly Choice[];
  useFound: (search: string) => FoundChoices;
  onChange: (value: Choice[]) => void;
}

/** The search starts this many milliseconds after the last keystroke. */
const TYPING_MS = 300;

/** Several of many things that the server searches. */
export function SearchMany({ useFound, value, onChange, placeholder, ...field }: SearchManyProps) {
  const [text, setText] = useState('');
  const typed = cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const search = typed === '' ? '' : settled;
  const { options, isStale, failure } = useFound(search);
  // Enter must not select an option of an earlier text.
  const isPending = failure === undefined && (isStale || typed !== search);
  const found = isPending ? [] : (options ?? []);
  const known = new Map([...value, ...found].map((choice) => [choice.id, choice]));
  return (
    <MultiSelect
      {...field}
      {...(value.length === 0 && { placeholder })}
      searchable
      hidePickedOptions
      selectFirstOptionOnChange={!isPending}
      // Enter selects an option; while nothing is found, it would otherwise submit the form.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      autoComplete="off"
      spellCheck={false}
      maxLength={SEARCH_MAX}
      rightSection={null}
      // The frame around the pills shows the focus.
      styles={{ inputField: { outline: 'none' } }}
      // The list is rendered inside a dialog without being clipped by it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      data={[...known.values()].map(({ id, name }) => ({ value: id, label: name }))}
      value={value.map(({ id }) => id)}
      searchValue={text}
      onSearchChange={setText}
      onChange={(ids) => onChange(ids.flatMap((id) => known.get(id) ?? []))}
      // The server has already searched.
      filter={({ options: listed }) =>
        listed.filter((item) => 'value' in item && found.some(({ id }) => id === item.value))
      }
      nothingFoundMessage={failure ?? (options === undefined || isPending ? 'Searching…' : 'Nothing found')}
    />
  );
}
