import type { User } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { type ChangeEvent, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import classes from './bulk.module.css';
import { choose, extendTo, getChosenPart, isChosen, NOTHING, toggle } from './selection.ts';
import { type SelectionStore, useSelected } from './use-selection.ts';

export function SelectableName({ store, user, children }: { store: SelectionStore; user: User; children: ReactNode }) {
  const checked = useSelected(store, (selection) => isChosen(selection, user.id));
  const change = ({ nativeEvent }: ChangeEvent) => {
    const isRange = (nativeEvent as MouseEvent).shiftKey === true;
    const selection = store.get();
    store.set(isRange ? extendTo(selection, store.rows(), user.id) : toggle(selection, user.id));
  };
  return (
    <div className={classes.name}>
      <label className={classes.target}>
        <input
          type="checkbox"
          data-select
          aria-label={`Select ${fullName(user)}`}
          checked={checked}
          onChange={change}
          onKeyDown={(event) => moveByKey(event, store)}
        />
      </label>
      {children}
    </div>
  );
}

/** Arrow keys move to the checkbox of the next row, and with Shift they select it too; Escape clears the selection. */
function moveByKey(event: KeyboardEvent<HTMLInputElement>, store: SelectionStore): void {
  if (event.key === 'Escape') store.set(NOTHING);
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = Number(event.currentTarget.closest('[data-row]')?.getAttribute('data-row') ?? Number.NaN);
  if (step === undefined || Number.isNaN(row)) return;
  event.preventDefault();
  const next = document.querySelector<HTMLElement>(`[data-row="${row + step}"] [data-select]`);
  const [id, nextId] = [store.rows()[row], store.rows()[row + step]];
  if (!next || id === undefined || nextId === undefined) return;
  if (event.shiftKey) {
    const selection = store.get();
    const started = selection.anchor === null ? { ...choose(selection, [id], true), anchor: id } : selection;
    store.set(extendTo(started, store.rows(), nextId));
  }
  next.focus();
}

export function SelectLoaded({ store }: { store: SelectionStore }) {
  const box = useRef<HTMLInputElement>(null);
  const state = useSelected(store, (selection) => getChosenPart(selection, store.rows));
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label className={classes.target}>
      <input
        ref={box}
        type="checkbox"
        aria-label="Select all loaded users"
        checked={state === 'all'}
        onChange={() => store.set(state === 'all' ? NOTHING : choose(store.get(), store.rows(), true))}
      />
    </label>
  );
}
