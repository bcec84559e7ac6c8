import { Combobox, Input, Text, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { hasIntegrationRole } from '@steward/contract/users/roles';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { cleanSearch } from '#platform/search/search-text.ts';
import classes from './users.module.css';
import { userOptionsQueryOptions } from './users.queries.ts';

interface UserPickerProps {
  teamId: string;
  label: string;
  /** A user's id, the value of `system`, or '' for anyone. */
  userId: string;
  /** Name of the user in the URL, known once one of their rows has loaded. */
  knownName: string | undefined;
  /** The choice for actions that no user performed. */
  system?: SystemOption;
  onPick: (userId: string) => void;
}

interface SystemOption {
  value: string;
  label: string;
}

/** Delay of the search after the last keystroke, in milliseconds. */
const TYPING_MS = 300;
const NOTE = { p: 8, c: 'dimmed', fz: '0.8125rem' };
/** The dropdown belongs to the main landmark of the screen. */
const MAIN_PORTAL = { target: '#main' };

/** The server searches the members of the team. */
export function UserPicker({ teamId, label, userId, knownName, system, onPick }: UserPickerProps) {
  const [picked, setPicked] = useState({ id: '', name: '' });
  const combobox = useCombobox({
    onDropdownClose: () => combobox.resetSelectedOption(),
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const name = picked.id === userId ? picked.name : (knownName ?? 'One user');
  const shown = userId === '' ? 'Anyone' : userId === system?.value ? system.label : name;
  const submit = (value: string, option: { children?: unknown }) => {
    setPicked({ id: value, name: String((option as { 'data-name'?: string })['data-name'] ?? '') });
    onPick(value === 'anyone' ? '' : value);
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width={300}
      shadow="md"
      keepMounted={false}
      portalProps={MAIN_PORTAL}
      onOptionSubmit={submit}
    >
      <Combobox.Target targetType="button">
        <Input
          component="button"
          type="button"
          pointer
          w="11rem"
          rightSection={<Icon name="chevron" size={16} />}
          rightSectionPointerEvents="none"
          aria-label={`${label}: ${shown}`}
          onClick={() => combobox.toggleDropdown()}
        >
          <Text component="bdi" display="block" inherit truncate>
            {shown}
          </Text>
        </Input>
      </Combobox.Target>
      <Combobox.Dropdown>
        <UserOptions teamId={teamId} system={system} onFound={combobox.selectFirstOption} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface UserOptionsProps {
  teamId: string;
  system: SystemOption | undefined;
  /** Called when the options of the current text are shown. */
  onFound: () => void;
}

function UserOptions({ teamId, system, onFound }: UserOptionsProps) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(cleanSearch(text), TYPING_MS);
  const { data, error, isPlaceholderData } = useQuery(userOptionsQueryOptions(teamId, settled));
  // Enter must not select an option of an earlier text.
  const isPending = error === null && (isPlaceholderData || cleanSearch(text) !== settled);
  useEffect(() => {
    if (text !== '' && !isPending) onFound();
  }, [text, isPending, onFound]);
  const users = (isPending ? [] : (data?.records ?? [])).filter(({ roles }) => !hasIntegrationRole(roles));
  return (
    <>
      <Combobox.Search
        classNames={{ input: classes.search ?? '' }}
        aria-label="Search people"
        placeholder="Search by name or email"
        maxLength={SEARCH_MAX}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Combobox.Options mah="min(20rem, 50dvh)" style={{ overflowY: 'auto' }} aria-label="People">
        {text === '' && <Combobox.Option value="anyone">Anyone</Combobox.Option>}
        {text === '' && system !== undefined && (
          <Combobox.Option value={system.value}>
            {system.label}
            <Text c="dimmed" fz="0.8125rem">
              Services, the operator and {productName()} itself
            </Text>
          </Combobox.Option>
        )}
        {users.map((user) => (
          <UserOption key={user.id} user={user} />
        ))}
      </Combobox.Options>
      {isPending && <Text {...NOTE}>Searching…</Text>}
      {!isPending && data !== undefined && users.length === 0 && <Text {...NOTE}>No matching people</Text>}
      {error !== null && (
        <Text {...NOTE} role="alert">
          Couldn’t load people: {getFailureMessage(error)}
        </Text>
      )}
    </>
  );
}

function UserOption({ user }: { user: User }) {
  const name = fullName(user);
  return (
    <Combobox.Option value={user.id} data-name={name}>
      <Text component="bdi" display="block" truncate>
        {name}
      </Text>
      {name !== user.email && (
        <Text component="bdi" display="block" truncate c="dimmed" fz="0.8125rem">
          {user.email}
        </Text>
      )}
    </Combobox.Option>
  );
}
