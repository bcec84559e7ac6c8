import { CloseButton, Group, Loader, Text } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import { SEARCH_MAX } from '@steward/contract/api/limits';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import type { TypeAheadState } from '../header/shortcut.ts';
import type { Choice } from './choices.ts';
import classes from './palette.module.css';
import type { ChoiceGroup, useChoices } from './use-choices.ts';

interface PaletteSearchProps {
  text: string;
  ahead: TypeAheadState;
  offered: ReturnType<typeof useChoices>;
  onChoose: (choice: Choice) => void;
  onClose: () => void;
}

/** The focus stays in the field, which references the selected row. */
export function PaletteSearch({ text, ahead, offered, onChoose, onClose }: PaletteSearchProps) {
  const { groups, failed, isPending } = offered;
  const listId = useId();
  const isDelayed = useDelayed(isPending);
  const { choices, active, select, forget, onKeyDown } = useSelection(groups, onChoose);
  const reached = choices[active];
  // The previous text is selected, so that typing replaces it. Text typed while the palette was loading is not.
  const greet = (field: HTMLInputElement) => {
    if (ahead.text === '') field.select();
    else field.setSelectionRange(field.value.length, field.value.length);
    ahead.text = '';
  };
  return (
    <>
      <Spotlight.Search
        data-autofocus
        autoFocus
        role="combobox"
        aria-label="Search screens, actions, people, entries and channels"
        aria-autocomplete="list"
        aria-expanded={choices.length > 0}
        aria-controls={choices.length > 0 ? `${listId}-rows` : undefined}
        aria-activedescendant={reached && getRowId(listId, reached)}
        placeholder="Search or run a command"
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={SEARCH_MAX}
        classNames={{ input: classes.input ?? '' }}
        leftSection={isDelayed ? <Loader size={18} aria-hidden="true" /> : <Icon name="search" />}
        rightSection={<CloseButton size={32} aria-label="Close search" onClick={onClose} />}
        rightSectionPointerEvents="all"
        onFocus={({ currentTarget }) => greet(currentTarget)}
        onChange={forget}
        onKeyDown={onKeyDown}
      />
      <span role="status" className={hidden.unseen}>
        {text.trim() !== '' && !isPending && formatCount(choices.length)}
      </span>
      <PaletteList id={listId} groups={groups} active={active} onHighlight={select} onChoose={onChoose} />
      <Foot text={text} isEmpty={choices.length === 0} isPending={isPending} isDelayed={isDelayed} failed={failed} />
    </>
  );
}

/**
 * The first row is selected until the arrow keys move the selection. It is kept by id, because results arrive one group after
 * another and Spotlight's own selection only knows positions.
 */
function useSelection(groups: readonly ChoiceGroup[], onChoose: (choice: Choice) => void) {
  const [id, setId] = useState<string>();
  const choices = groups.flatMap((group) => group.choices);
  const at = id === undefined ? -1 : choices.findIndex((choice) => choice.id === id);
  const first = groups[0]?.isStale === true ? -1 : Math.min(0, choices.length - 1);
  const active = at >= 0 ? at : first;
  const select = (index: number) => setId(choices[index]?.id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || choices.length === 0) return;
    const last = choices.length - 1;
    const targets: Record<string, number> = {
      ArrowDown: active === last ? 0 : active + 1,
      ArrowUp: active <= 0 ? last : active - 1,
      ...(!event.shiftKey && { Home: 0, End: last }),
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      select(target);
    } else if (event.key === 'Enter' && choices[active] !== undefined) onChoose(choices[active]);
  };
  return { choices, active, select, forget: () => setId(undefined), onKeyDown };
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
        <Spotlight.Empty py={32} style={{ overflowWrap: 'anywhere' }}>
          {isPending ? (
            'Searching…'
          ) : (
            <>
              Nothing found for “<bdi>{text.trim()}</bdi>”.
            </>
          )}
        </Spotlight.Empty>
      )}
      <div role="status">
        {failed.length > 0 && (
          <Group gap={8} wrap="nowrap" px={16} py={12} fz={13} c="var(--warning)">
            <Icon name="warning" size={16} /> Couldn’t search {new Intl.ListFormat('en').format(failed)}. Keep typing to
            try again.
          </Group>
        )}
      </div>
      <Spotlight.Footer
        className={classes.keys ?? ''}
        visibleFrom="sm"
        px={16}
        py={8}
        fz={12}
        c="dimmed"
        aria-hidden="true"
        style={{ borderColor: 'var(--hairline)' }}
      >
        <Group gap={16}>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>Enter</kbd> choose
          </span>
          <span>
            <kbd>Esc</kbd> close
          </span>
        </Group>
      </Spotlight.Footer>
    </>
  );
}

interface PaletteListProps {
  id: string;
  groups: readonly ChoiceGroup[];
  /** Index of the selected choice, counted through all groups; -1 for none. */
  active: number;
  onHighlight: (at: number) => void;
  onChoose: (choice: Choice) => void;
}

function PaletteList({ id, groups, active, onHighlight, onChoose }: PaletteListProps) {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = active >= 0 ? view.current?.querySelector('[aria-selected="true"]') : undefined;
    // Show the heading above the first row as well.
    if (active === 0) view.current?.scrollTo(0, 0);
    else row?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  // Spotlight passes these to its scroll area.
  const scrolling = {
    viewportRef: view,
    viewportProps: { id: `${id}-rows`, role: 'listbox', 'aria-label': 'Results', tabIndex: -1 },
  };
  if (groups.length === 0) return null;
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { choices }) => sum + choices.length, 0));
  return (
    <Spotlight.ActionsList id={id} className={classes.list ?? ''} {...scrolling}>
      {groups.map(({ heading, choices, isStale }, group) => (
        <Spotlight.ActionsGroup
          key={heading}
          label={heading}
          role="group"
          aria-label={heading}
          data-stale={isStale || undefined}
          className={classes.group ?? ''}
        >
          {choices.map((choice, index) => {
            const at = (starts[group] ?? 0) + index;
            return (
              <Row
                key={choice.id}
                id={getRowId(id, choice)}
                choice={choice}
                isActive={at === active}
                onHighlight={() => at !== active && !isStale && onHighlight(at)}
                onChoose={() => onChoose(choice)}
              />
            );
          })}
        </Spotlight.ActionsGroup>
      ))}
    </Spotlight.ActionsList>
  );
}

function getRowId(listId: string, { id }: Choice): string {
  return `${listId}-${id.replaceAll(' ', '_')}`;
}

interface RowProps {
  id: string;
  choice: Choice;
  isActive: boolean;
  onHighlight: () => void;
  onChoose: () => void;
}

function Row({ id, choice: { icon, label, detail }, isActive, onHighlight, onChoose }: RowProps) {
  return (
    <Spotlight.Action
      // Spotlight doesn't render the id that the field references, and would select a `data-action` by position.
      renderRoot={(props) => <div {...props} data-action={undefined} id={id} />}
      role="option"
      aria-selected={isActive}
      className={classes.row ?? ''}
      onMouseMove={onHighlight}
      onClick={onChoose}
    >
      <Icon name={icon} size={16} />
      <Text component="bdi" className={classes.label ?? ''} miw="40%" truncate title={label}>
        {label}
      </Text>
      {detail !== '' && (
        <Text component="bdi" className={classes.detail ?? ''} fz={13} ta="end" truncate title={detail}>
          {detail}
        </Text>
      )}
    </Spotlight.Action>
  );
}
