import { useEffect, useRef } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import type { Choice } from './choices.ts';
import classes from './palette.module.css';
import type { ChoiceGroup } from './use-choices.ts';

interface PaletteListProps {
  id: string;
  groups: readonly ChoiceGroup[];
  /** Index of the choice that the keys have reached, counted through all groups; -1 for none. */
  active: number;
  onHighlight: (at: number) => void;
  onChoose: (choice: Choice) => void;
}

/** The choices under their headings. */
export function PaletteList({ id, groups, active, onHighlight, onChoose }: PaletteListProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = active >= 0 ? box.current?.querySelector('[aria-selected="true"]') : undefined;
    // The heading above the first row belongs into view with it.
    if (active === 0) box.current?.scrollTo(0, 0);
    else row?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  if (groups.length === 0) return null;
  const starts = groups.map((_, at) => groups.slice(0, at).reduce((sum, { choices }) => sum + choices.length, 0));
  return (
    // A press must not take the focus out of the field.
    <div
      ref={box}
      id={id}
      role="listbox"
      aria-label="Results"
      tabIndex={-1}
      className={classes.list}
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ heading, choices, isStale }, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
        <div key={heading} role="group" aria-label={heading} data-stale={isStale || undefined}>
          <div role="presentation" className={classes.heading}>
            {heading}
          </div>
          {choices.map((choice, index) => {
            const at = (starts[group] ?? 0) + index;
            return (
              <Row
                key={choice.id}
                id={rowId(id, choice)}
                choice={choice}
                isActive={at === active}
                onHighlight={() => at !== active && onHighlight(at)}
                onChoose={() => onChoose(choice)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** Id of a row in the document. */
export function rowId(listId: string, { id }: Choice): string {
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are heard by the field that has the focus
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.row}
      onMouseMove={onHighlight}
      onClick={onChoose}
    >
      <Icon name={icon} size={16} />
      <bdi className={classes.label} title={label}>
        {label}
      </bdi>
      {detail !== '' && (
        <bdi className={classes.detail} title={detail}>
          {detail}
        </bdi>
      )}
    </div>
  );
}
