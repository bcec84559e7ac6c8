import type { User } from '@steward/contract/users';
import { Suspense, type SyntheticEvent, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { type ActionName, actionsFor, NO_ACTIONS } from './actions.rules.ts';
import classes from './user-actions.module.css';

// Rows come by the dozen while somebody scrolls: each has a plain button, and the menu only once it is opened.
const ActionsMenu = lazyComponent(async () => (await import('./actions-menu.tsx')).ActionsMenu);
const Hint = lazyComponent(async () => (await import('#platform/feedback/hint.tsx')).Hint);

interface UserActionsProps {
  person: User;
  signedInId: string;
  onAction: (action: ActionName, person: User) => void;
}

/** The menu of a row; where there is none, its place says why to mouse, keyboard and screen reader. */
export function UserActions({ person, signedInId, onAction }: UserActionsProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const actions = actionsFor(person, signedInId);
  if (actions === null) return <NoActions />;

  const label = `Actions for ${fullName(person)}`;
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  // The open menu closes at a press beside it; a press on its own button must not close it first and then open it.
  const keep = (event: SyntheticEvent) => opened && event.stopPropagation();
  const choose = (action: ActionName) => {
    close();
    onAction(action, person);
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
      >
        <Icon name="dots" />
      </button>
      {opened && (
        <Suspense fallback={null}>
          <ActionsMenu label={label} actions={actions} onChoose={choose} onClose={close} />
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the reason must be within reach of the keyboard
        tabIndex={0}
        aria-label={`No actions. ${NO_ACTIONS}`}
        className={classes.none}
        onPointerEnter={() => setShown(true)}
        onPointerLeave={() => setShown(false)}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
      >
        <Icon name="dots" />
      </span>
      {isShown && (
        <Suspense fallback={null}>
          <Hint target={mark} label={NO_ACTIONS} />
        </Suspense>
      )}
    </>
  );
}
