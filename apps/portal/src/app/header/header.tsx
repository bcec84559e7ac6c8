import { ActionIcon, Box, Group, UnstyledButton } from '@mantine/core';
import { fullName } from '@steward/contract/users/names';
import { Link } from '@tanstack/react-router';
import {
  type MouseEvent,
  type KeyboardEvent as ReactKeyboardEvent,
  Suspense,
  type SyntheticEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import { Logo } from '#platform/page/logo.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { useSignedInUser } from '#workspace/session/session-state.ts';
import { openSwitchTeam, useCurrentTeam } from '#workspace/teams/teams.ts';
import { UserAvatar } from '#workspace/users/user-avatar.tsx';
import { HELP, NAVIGATION } from '../navigation.ts';
import type { Places } from '../palette/choices.ts';
import classes from './header.module.css';
import { Presence } from './presence.tsx';
import { hasCommandKey, isShortcut, useTypeAhead } from './shortcut.ts';

const PLACES = [...NAVIGATION, HELP];

export function Header({ onMenu }: { onMenu: () => void }) {
  return (
    <Group
      renderRoot={(props) => <header {...props} />}
      className={classes.header}
      wrap="nowrap"
      gap={8}
      px={{ base: 8, sm: 12 }}
    >
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size={44} aria-label="Menu" onClick={onMenu}>
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Link to="/" className={classes.control}>
        <Logo size={24} />
        <Box component="span" fw={600} className={hidden.unseenOnPhone ?? ''}>
          Welcome to Admin
        </Box>
      </Link>
      <TeamSwitch />
      <PaletteButton places={PLACES} />
      <AccountMenu />
    </Group>
  );
}

function TeamSwitch() {
  const team = useCurrentTeam();

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openSwitchTeam();
  }

  return (
    <Link
      to="/switchTeam"
      className={`${classes.control} ${classes.framed} ${classes.team}`}
      onClick={open}
      title="Switch team"
    >
      <span className={classes.name}>{team.display_name}</span>
      <Icon name="swap" size={16} />
      <span className={hidden.unseen}>, switch team</span>
    </Link>
  );
}

// A menu needs the positioning library, so it stays out of the first load.
const AccountDropdown = lazyComponent(async () => (await import('./account-dropdown.tsx')).AccountDropdown);

function AccountMenu() {
  const user = useSignedInUser();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  // The open menu closes on a press outside, so a press on its own button must not close it first and then open it again.
  const keepOpen = (event: SyntheticEvent) => opened && event.stopPropagation();
  const openByArrow = (event: ReactKeyboardEvent) => {
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
        <UserAvatar user={user} />
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

const Palette = lazyComponent(async () => (await import('../palette/palette.tsx')).Palette);

/** The palette opens by a press or by its keys on every screen of the shell. */
function PaletteButton({ places }: { places: readonly Places[] }) {
  const withCommand = hasCommandKey(navigator.platform);
  const button = useRef<HTMLButtonElement>(null);
  const opener = useRef<Element>(null);
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const { ahead, take } = useTypeAhead(opened);
  const open = () => {
    opener.current = document.activeElement;
    setOpened(true);
    setWasOpened(true);
  };
  const restoreFocus = () => {
    const { current } = opener;
    const isThere = current instanceof HTMLElement && current.isConnected && current !== document.body;
    (isThere ? current : button.current)?.focus({ preventScroll: true });
  };
  useKeyDown((event) => {
    if (!isShortcut(event, withCommand)) return take(event);
    event.preventDefault();
    if (opened) setOpened(false);
    // Another open dialog has the keyboard to itself.
    // A panel beside a list is a place to search from; a dialog waits for its answer.
    else if (document.querySelector('[aria-modal="true"]:not([data-panel])') === null) open();
  });
  return (
    <>
      <UnstyledButton
        ref={button}
        className={`${classes.control} ${classes.framed}`}
        aria-haspopup="dialog"
        aria-keyshortcuts={withCommand ? 'Meta+K' : 'Control+K'}
        onPointerEnter={Palette.preload}
        onClick={open}
      >
        <ButtonFace keys={withCommand ? '⌘ K' : 'Ctrl K'} />
      </UnstyledButton>
      <Suspense fallback={null}>
        {wasOpened && (
          <Palette
            opened={opened}
            places={places}
            ahead={ahead}
            restoreFocus={restoreFocus}
            onClose={() => setOpened(false)}
          />
        )}
      </Suspense>
    </>
  );
}

function useKeyDown(onKey: (event: KeyboardEvent) => unknown): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => void press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function ButtonFace({ keys }: { keys: string }) {
  return (
    <>
      <Icon name="search" size={16} />
      <Box component="span" c="dimmed" className={hidden.unseenOnPhone ?? ''}>
        Search
      </Box>
      <Box
        component="span"
        visibleFrom="sm"
        aria-hidden="true"
        ml={8}
        px={5}
        fz={12}
        c="dimmed"
        bd="1px solid var(--hairline)"
        bdrs={5}
      >
        {keys}
      </Box>
    </>
  );
}
