import type { ListedUser, UserAction } from '@steward/contract/users';
import { fullName } from '@steward/contract/users/names';
import { Suspense, type SyntheticEvent, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { getMenu, NO_ACTIONS } from './actions.rules.ts';
import classes from './user-actions.module.css';

// Scrolling renders dozens of rows, so each has a plain button with dots as text. The menu is loaded when it is first opened.
const ActionsMenu = lazyComponent(async () => (await import('./actions-menu.tsx')).ActionsMenu);
const Hint = lazyComponent(async () => (await import('#platform/feedback/hint.tsx')).Hint);

interface UserActionsProps {
  user: ListedUser;
  onAction: (action: UserAction, user: ListedUser) => void;
}

/** Without a menu, an icon explains the reason to mouse, keyboard and screen reader users. */
export function UserActions({ user, onAction }: UserActionsProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const items = getMenu(user);
  if (items === null) return <NoActions />;

  const label = `Actions for ${fullName(user)}`;
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  // The open menu closes on a press outside; a press on its own button must not close it first and then reopen it.
  const keep = (event: SyntheticEvent) => opened && event.stopPropagation();
  const choose = (action: UserAction) => {
    close();
    onAction(action, user);
  };
  return (
    <span className={classes.place}>
      <button
        ref={button}
        type="button"
        className={classes.button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={opened}
        onMouseDown={keep}
        onTouchStart={keep}
        onClick={() => setOpened(!opened)}
      />
      {opened && (
        <Suspense fallback={null}>
          <ActionsMenu label={label} items={items} onChoose={choose} onClose={close} />
        </Suspense>
      )}
    </span>
  );
}

function NoActions() {
  const mark = useRef<HTMLSpanElement>(null);
  const [isShown, setShown] = useState(false);
  return (
    <>
      <span
        ref={mark}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be reachable by keyboard
        tabIndex={0}
        aria-label={`No actions. ${NO_ACTIONS}`}
        className={classes.button}
        onPointerEnter={() => setShown(true)}
        onPointerLeave={() => setShown(false)}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
      />
      {isShown && (
        <Suspense fallback={null}>
          <Hint target={mark} label={NO_ACTIONS} />
        </Suspense>
      )}
    </>
  );
}
