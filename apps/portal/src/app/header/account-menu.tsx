import { Box, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, Suspense, type SyntheticEvent, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import hidden from '#platform/page/visually-hidden.module.css';
import { fullName } from '#workspace/people/initials.ts';
import { PersonAvatar } from '#workspace/people/person-avatar.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import classes from './header.module.css';
import { Presence } from './presence.tsx';

// A menu needs the positioning library, so it stays out of the first load.
const AccountDropdown = lazyComponent(async () => (await import('./account-dropdown.tsx')).AccountDropdown);

/** The signed-in person: status, name and picture, with the menu behind them. */
export function AccountMenu() {
  const user = useSignedInUser();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  // The open menu closes on a press outside; a press on its own button must not close it first and then open it.
  const keepOpen = (event: SyntheticEvent) => opened && event.stopPropagation();
  const openByArrow = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    setOpened(true);
  };
  return (
    <Box pos="relative">
      <UnstyledButton
        ref={button}
        className={classes.control}
        aria-haspopup="menu"
        aria-expanded={opened}
        onPointerEnter={AccountDropdown.preload}
        onMouseDown={keepOpen}
        onTouchStart={keepOpen}
        onKeyDown={openByArrow}
        onClick={() => setOpened(!opened)}
      >
        <span className={hidden.unseenOnPhone}>
          <Presence status={user.status} />
        </span>
        <span className={`${classes.name} ${hidden.unseenOnPhone}`}>{fullName(user)}</span>
        <PersonAvatar person={user} />
        <span className={hidden.unseen}>, account</span>
      </UnstyledButton>
      {opened && (
        <Suspense fallback={null}>
          <AccountDropdown user={user} onClose={close} />
        </Suspense>
      )}
    </Box>
  );
}
