import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { Combobox, Loader, PillsInput, useVirtualizedCombobox } from '@mantine/core';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import type { Channel } from '@steward/contract/channels';
import { type ChangeEvent, type FocusEvent, type KeyboardEvent, type RefObject, useId, useRef, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { useLate } from '#platform/page/page.tsx';
import hidden from '#platform/page/unseen.module.css';
import { ChannelChips, type ChipNote } from './channel-chips.tsx';
import { type ChosenChannel, chosenFrom, without, withToggled } from './channel-choice.ts';
import { ChannelList, rowId, tryAgain } from './channel-list.tsx';
import classes from './channel-picker.module.css';
import { type Finding, useFinding } from './use-finding.ts';

interface ChannelPickerProps {
  label: string;
  description?: string;
  /** What is against the choice. */
  error?: string | undefined;
  teamId: string;
  chosen: readonly ChosenChannel[];
  /** What a chip says besides the name. */
  noteOf?: (channel: ChosenChannel) => ChipNote | undefined;
  /** Why a channel cannot be taken out. */
  lockOf?: (channel: ChosenChannel) => string | undefined;
  /** What somebody wants to have chosen now. Whoever does not take it over leaves the choice as it was. */
  onChange: (wanted: readonly ChosenChannel[]) => void;
}

/** What opens over the page belongs to the screen's landmark. */
const IN_MAIN = { target: '#main' };

const nothing = () => undefined;

/** Chooses any number of a team's channels (spec §2): chips of those chosen, and a list that the server searches. */
export function ChannelPicker(props: ChannelPickerProps) {
  const { label, description, error, chosen, noteOf = nothing, lockOf = nothing } = props;
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  const finding = useFinding(props.teamId, opened);
  const picking = usePicking(props, field);
  const { list, search, channels, isPending, active } = finding;
  const isLate = useLate(isPending);
  const combobox = useVirtualizedCombobox({
    opened,
    onOpenedChange: setOpened,
    loop: false,
    totalOptionsCount: channels.length,
    getOptionId: () => null,
    selectedOptionIndex: active,
    setSelectedOptionIndex: finding.setActive,
    onSelectedOptionSubmit: (at) => channels[at] && picking.toggle(channels[at]),
  });
  return (
    <Combobox store={combobox} position="bottom-start" offset={4} shadow="md" keepMounted={false} portalProps={IN_MAIN}>
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          error={error !== undefined && <span role="alert">{error}</span>}
          rightSection={isLate ? <Loader size={16} /> : <Icon name="chevron" size={16} />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
        >
          <div className={classes.field}>
            <ChannelChips label={`${label}, chosen`} {...{ chosen, noteOf, lockOf }} onRemove={picking.remove} />
            <Combobox.EventsTarget withAriaAttributes={false}>
              <PillsInput.Field ref={field} {...fieldProps({ listId, opened, setOpened, finding, picking })} />
            </Combobox.EventsTarget>
          </div>
          <span role="status" className={hidden.unseen}>
            {picking.said || (opened && !isPending ? foundText(finding) : '')}
          </span>
        </PillsInput>
      </Combobox.DropdownTarget>
      {/* A press on the list must not take the focus out of the field, which would close it. */}
      <Combobox.Dropdown className={classes.dropdown ?? ''} onMouseDown={(event) => event.preventDefault()}>
        <ChannelList
          id={listId}
          {...{ list, search, active }}
          isStale={isPending}
          lockOf={picking.lockOf}
          isChosen={picking.isChosen}
          onToggle={picking.toggle}
        />
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Changes of the choice, and what they are called to whoever does not see them. */
function usePicking(
  { chosen, lockOf = nothing, onChange }: ChannelPickerProps,
  field: RefObject<HTMLInputElement | null>,
) {
  const [said, say] = useState('');
  const locks = new Map(chosen.map((channel) => [channel.channel_id, lockOf(channel)]));
  const isFree = ({ channel_id }: ChosenChannel) => locks.get(channel_id) === undefined;
  const change = (wanted: readonly ChosenChannel[], channel: ChosenChannel) => {
    const done = wanted.length > chosen.length ? 'added' : 'removed';
    say(locks.get(channel.channel_id) ?? `${channel.channel_name} ${done}`);
    if (isFree(channel)) onChange(wanted);
    // A chip goes away with the button that was pressed.
    field.current?.focus();
  };
  return {
    said,
    say,
    isChosen: (id: string) => locks.has(id),
    lockOf: (id: string) => locks.get(id),
    last: chosen.findLast(isFree),
    remove: (channel: ChosenChannel) => change(without(chosen, channel.channel_id), channel),
    toggle: (channel: Channel) => {
      change(withToggled(chosen, chosenFrom(channel)), chosenFrom(channel));
      // The list stays for the next one, and whatever is typed now begins another search.
      field.current?.select();
    },
  };
}

interface Searching {
  listId: string;
  opened: boolean;
  setOpened: (opened: boolean) => void;
  finding: Finding;
  picking: ReturnType<typeof usePicking>;
}

/** Of the field: it keeps the focus, and names the row that the keys have reached. */
function fieldProps({ listId, opened, setOpened, finding, picking }: Searching) {
  const { text, type, list, channels, active } = finding;
  const reached = channels[active];
  const isListed = opened && channels.length > 0;
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isListed,
    'aria-controls': isListed ? listId : undefined,
    'aria-activedescendant': isListed && reached ? rowId(listId, reached) : undefined,
    autoComplete: 'off',
    spellCheck: false,
    maxLength: SEARCH_MAX,
    placeholder: 'Search channels',
    value: text,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
      type(currentTarget.value);
      picking.say('');
      setOpened(true);
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.nativeEvent.isComposing) return;
      // It would send the form around the field.
      if (event.key === 'Enter') event.preventDefault();
      if (event.key === 'Escape' && !opened) type('');
      if (event.key === 'ArrowDown' && opened && list.error !== null && !list.isFetching) tryAgain(list);
      // A key still held from clearing the text must not go on with the chips.
      if (event.key === 'Backspace' && text === '' && !event.repeat && picking.last) picking.remove(picking.last);
    },
    onBlur: ({ currentTarget }: FocusEvent) => {
      // Another window took the focus, and will give it back.
      if (document.activeElement === currentTarget) return;
      setOpened(false);
      type('');
    },
  } as const;
}

function foundText({ list: { data, hasNextPage } }: Finding): string {
  if (data === undefined) return '';
  const count = data.length === 0 ? 'No channel' : `${data.length} channel${data.length === 1 ? '' : 's'}`;
  return hasNextPage ? `First ${count}` : count;
}
