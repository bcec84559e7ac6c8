import { Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { type ReactNode, useState } from 'react';
import { cleanSearch } from '#platform/search/search-text.ts';

export function toUserOption(user: User): Option {
  const name = fullName(user);
  return { value: user.id, label: name, ...(name !== user.email && { note: user.email }) };
}

interface Option {
  value: string;
  label: string;
  note?: string;
}

export interface Found {
  options: readonly Option[] | undefined;
  failure: string | undefined;
}

interface SearchSelectProps {
  label: string;
  placeholder: string;
  description?: string;
  error?: ReactNode;
  value: string;
  /** The initial choice didn't come from a search. */
  initial?: Option;
  useFound: (search: string) => Found;
  onChange: (value: string) => void;
}

/** The search starts this many milliseconds after the last keystroke. */
const TYPING_MS = 300;

/** A choice among what the server finds. */
export function SearchSelect({ initial, useFound, value, onChange, ...field }: SearchSelectProps) {
  const [chosen, setChosen] = useState(initial);
  const [text, setText] = useState(initial?.label ?? '');
  // The field shows the label of the choice, which isn't a search text.
  const typed = chosen?.label === text ? '' : cleanSearch(text);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const { options, failure } = useFound(typed === '' ? '' : settled);
  const found = options ?? [];
  const all =
    chosen === undefined || found.some((option) => option.value === chosen.value) ? found : [chosen, ...found];
  const notes = new Map(all.map((option) => [option.value, option.note]));
  return (
    <Select
      {...field}
      required
      searchable
      allowDeselect={false}
      autoComplete="off"
      spellCheck={false}
      maxLength={SEARCH_MAX}
      // The list is rendered inside the dialog without being clipped by it.
      comboboxProps={{ withinPortal: false, floatingStrategy: 'fixed' }}
      data={all.map(({ value: id, label }) => ({ value: id, label }))}
      value={value === '' ? null : value}
      searchValue={text}
      onSearchChange={setText}
      onChange={(picked) => {
        setChosen(all.find((option) => option.value === picked));
        onChange(picked ?? '');
      }}
      // The server has already searched. A previous choice that doesn't match the new text is left out.
      filter={({ options: listed }) =>
        typed === ''
          ? listed
          : listed.filter((item) => 'value' in item && found.some((each) => each.value === item.value))
      }
      nothingFoundMessage={failure ?? (options === undefined ? 'Searching…' : 'Nothing found')}
      renderOption={({ option }) => <Line label={option.label} note={notes.get(option.value)} />}
    />
  );
}

function Line({ label, note }: { label: string; note: string | undefined }) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text component="bdi" display="block" truncate>
        {label}
      </Text>
      {note !== undefined && (
        <Text component="bdi" display="block" truncate c="dimmed" fz="0.8125rem">
          {note}
        </Text>
      )}
    </div>
  );
}
