import { Text } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import { useEffect, useRef } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import type { Choice } from './choices.ts';
import classes from './palette.module.css';
import type { ChoiceGroup } from './use-choices.ts';

interface PaletteListProps {
  id: string;
  groups: readonly ChoiceGroup[];
  /** Index of the selected choice, counted through all groups; -1 for none. */
  active: number;
  onHighlight: (at: number) => void;
  onChoose: (choice: Choice) => void;
}

/** The choices under their headings. */
export function PaletteList({ id, groups, active, onHighlight, onChoose }: PaletteListProps) {
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

/** Id of a row in the document. */
export function getRowId(listId: string, { id }: Choice): string {
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
