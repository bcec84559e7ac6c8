import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import { Button, Combobox, useCombobox } from '@mantine/core';
import { PLACEHOLDERS } from '@steward/contract/integrations/placeholders';
import { useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { getInsertText, groupPlaceholders } from './placeholder-search.ts';
import classes from './template.module.css';

/** What opens over the page belongs to the screen's landmark. */
const MAIN_PORTAL = { target: '#main' };

/** All that Zendesk fills in, to be searched, and put where the caret stands. */
export function PlaceholderList({ onInsert }: { onInsert: (text: string) => void }) {
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: (source) => {
      combobox.resetSelectedOption();
      // Otherwise the focus goes to the text, with what was chosen.
      if (source === 'keyboard') combobox.focusTarget();
      setSearch('');
    },
  });
  const submit = (name: string) => {
    const placeholder = PLACEHOLDERS.find((one) => one.name === name);
    combobox.closeDropdown();
    if (placeholder !== undefined) onInsert(getInsertText(placeholder));
  };
  return (
    <Combobox
      store={combobox}
      position="bottom-end"
      width="min(26rem, calc(100vw - 32px))"
      shadow="md"
      withinPortal
      portalProps={MAIN_PORTAL}
      keepMounted={false}
      onOptionSubmit={submit}
    >
      <Combobox.Target targetType="button">
        <Button
          size="compact-sm"
          variant="default"
          rightSection={<Icon name="chevron" size={14} />}
          onClick={() => combobox.toggleDropdown()}
        >
          Placeholders
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          aria-label="Search placeholders"
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          placeholder="Search placeholders"
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
        />
        <Found search={search} />
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Found({ search }: { search: string }) {
  const groups = groupPlaceholders(PLACEHOLDERS, search);
  return (
    <Combobox.Options className={classes.placeholders ?? ''} aria-label="Placeholders">
      {groups.length === 0 && <Combobox.Empty>No matching placeholders.</Combobox.Empty>}
      {groups.map(({ group, placeholders }) => (
        <Combobox.Group key={group} label={group}>
          {placeholders.map(({ name, meaning }) => (
            <Combobox.Option key={name} value={name}>
              <span className={classes.placeholder}>
                <code>{name}</code>
                <span className={classes.meaning}>{meaning}</span>
              </span>
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  );
}
