import { CloseButton, Combobox, Loader } from '@mantine/core';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import { useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import type { Choice } from './choices.ts';
import classes from './palette.module.css';
import { PaletteList, rowId } from './palette-list.tsx';
import type { useChoices } from './use-choices.ts';
import { useKeyboardSelection } from './use-keyboard-selection.ts';

interface PaletteSearchProps {
  text: string;
  onTextChange: (text: string) => void;
  onFocus: (field: HTMLInputElement) => void;
  offered: ReturnType<typeof useChoices>;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}

/** The field and what it finds. The focus stays in the field: the row that the keys have reached is named to it. */
export function PaletteSearch({ text, onTextChange, onFocus, offered, onChoose, onClose }: PaletteSearchProps) {
  const { groups, failed, isPending } = offered;
  const listId = useId();
  const isDelayed = useDelayed(isPending);
  const { choices, active, reach, forget, combobox, onKeyDown } = useKeyboardSelection(groups, onChoose);
  const reached = choices[active];
  return (
    <Combobox store={combobox}>
      <div className={classes.field}>
        {isDelayed ? <Loader size={18} aria-hidden="true" /> : <Icon name="search" />}
        <Combobox.EventsTarget withAriaAttributes={false}>
          <input
            className={classes.input}
            data-autofocus
            // biome-ignore lint/a11y/noAutofocus: it is what somebody opens a search for
            autoFocus
            role="combobox"
            aria-label="Search screens, actions, people, entries and channels"
            aria-autocomplete="list"
            aria-expanded={choices.length > 0}
            aria-controls={choices.length > 0 ? listId : undefined}
            aria-activedescendant={reached && rowId(listId, reached)}
            placeholder="Search, or do something"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={SEARCH_MAX}
            value={text}
            onFocus={({ currentTarget }) => onFocus(currentTarget)}
            onChange={({ currentTarget }) => {
              forget();
              onTextChange(currentTarget.value);
            }}
            onKeyDown={onKeyDown}
          />
        </Combobox.EventsTarget>
        <CloseButton size={32} aria-label="Close search" onClick={onClose} />
      </div>
      <span role="status" className={hidden.unseen}>
        {text.trim() !== '' && !isPending && formatCount(choices.length)}
      </span>
      <PaletteList id={listId} groups={groups} active={active} onHighlight={reach} onChoose={onChoose} />
      <Foot text={text} isEmpty={choices.length === 0} isPending={isPending} isDelayed={isDelayed} failed={failed} />
    </Combobox>
  );
}

function formatCount(count: number): string {
  return count === 0 ? 'Nothing found' : `${count} result${count === 1 ? '' : 's'}`;
}

interface FootProps {
  text: string;
  isEmpty: boolean;
  isPending: boolean;
  isDelayed: boolean;
  failed: readonly string[];
}

function Foot({ text, isEmpty, isPending, isDelayed, failed }: FootProps) {
  return (
    <>
      {isEmpty && (isDelayed || !isPending) && (
        <p className={classes.nothing}>
          {isPending ? (
            'Searching…'
          ) : (
            <>
              Nothing found for “<bdi>{text.trim()}</bdi>”.
            </>
          )}
        </p>
      )}
      <div role="status">
        {failed.length > 0 && (
          <p className={classes.failed}>
            <Icon name="warning" size={16} /> Could not search {new Intl.ListFormat('en').format(failed)}. Type on to
            try again.
          </p>
        )}
      </div>
      <p className={classes.keys} aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> choose
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </>
  );
}
