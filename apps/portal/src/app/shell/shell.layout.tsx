import { Box, Group } from '@mantine/core';
import {
  createFileRoute,
  type HistoryState,
  Outlet,
  useLocation,
  useNavigate,
  useRouterState,
} from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { type Connection, connection, subscribeToConnection } from '#platform/api/connection.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import { WaitingCommandContext } from '#platform/page/waiting-command.ts';
import { useProtectedSession, useSession } from '#workspace/session/session-state.ts';
import { closeSwitchTeam, useIsSwitchTeamOpen } from '#workspace/teams/teams.ts';
import { Header } from '../header/header.tsx';
import classes from './shell.module.css';
import { closeShortcuts, useAreShortcutsOpen, useShortcutsKey } from './shortcuts.ts';
import { Sidebar } from './sidebar.tsx';

export const Route = createFileRoute('/_protected/_shell')({ component: ShellLayout });

function ShellLayout() {
  // Without a session only the fallback screen is shown, without the shell.
  if (useSession() === null) return <Outlet />;
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}

// Dialogs are loaded later, because the first screen doesn't need them.
const SwitchTeamDialog = lazyComponent(
  async () => (await import('#workspace/teams/switch-team-dialog.tsx')).SwitchTeamDialog,
);
const ShortcutsDialog = lazyComponent(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
const OtherTeam = lazyComponent(async () => (await import('./other-team.tsx')).OtherTeam);
const SidebarDrawer = lazyComponent(async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer);

function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isSwitchTeamOpen = useIsSwitchTeamOpen();
  const hasMenuBeenOpened = useHasBeenTrue(isMenuOpen);
  const hasSwitchTeamBeenOpened = useHasBeenTrue(isSwitchTeamOpen);
  const areShortcutsOpen = useAreShortcutsOpen();
  const haveShortcutsBeenOpened = useHasBeenTrue(areShortcutsOpen);
  useFocusOnNewScreen(main);
  useShortcutsKey();
  const waitingCommand = useWaitingCommand();

  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <Header onMenu={() => setMenuOpen(true)} />
      <div className={classes.sidebar}>
        <Sidebar />
      </div>
      <main ref={main} id="main" className={classes.main} tabIndex={-1}>
        <TeamNotice />
        <WaitingCommandContext value={waitingCommand}>{children}</WaitingCommandContext>
      </main>
      <ConnectionNotice />
      <Suspense fallback={null}>
        {hasMenuBeenOpened && <SidebarDrawer opened={isMenuOpen} onClose={() => setMenuOpen(false)} />}
        {hasSwitchTeamBeenOpened && <SwitchTeamDialog opened={isSwitchTeamOpen} onClose={closeSwitchTeam} />}
        {haveShortcutsBeenOpened && <ShortcutsDialog opened={areShortcutsOpen} onClose={closeShortcuts} />}
      </Suspense>
    </div>
  );
}

/** Without the notice, a link of an email could be mistaken for the team that the user left open. */
function TeamNotice() {
  const { teams, currentTeam, lastTeamId } = useProtectedSession();
  const last = teams.find(({ id }) => id === lastTeamId);
  if (last === undefined || last.id === currentTeam.id) return null;
  return (
    <Suspense fallback={null}>
      <OtherTeam team={currentTeam} last={last} />
    </Suspense>
  );
}

/** Stays true after `value` was true once, so that a dialog can close with its transition. */
function useHasBeenTrue(value: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(value);
  if (value && !wasTrue) setWasTrue(true);
  return wasTrue || value;
}

/** Moves the focus to the start of each new screen, for keyboards and screen readers. */
function useFocusOnNewScreen(main: { current: HTMLElement | null }): void {
  const { pathname } = useLocation();
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

const TEXTS: Record<Connection, string | undefined> = {
  online: undefined,
  offline: 'You’re offline. Reconnecting automatically…',
  unreachable: 'Can’t reach the server. Reconnecting automatically…',
};

function ConnectionNotice() {
  const text = TEXTS[useSyncExternalStore(subscribeToConnection, connection)];
  return (
    // The notice is above dialogs too, because saving in one may fail without a connection. It doesn't block presses below it.
    <Box role="status" pos="fixed" inset="auto 16px 16px" style={{ zIndex: 500, pointerEvents: 'none' }}>
      {text !== undefined && (
        <Group
          gap={8}
          wrap="nowrap"
          w="fit-content"
          mx="auto"
          px={14}
          py={8}
          bd="1px solid var(--hairline)"
          bdrs={24}
          bg="var(--warning-soft)"
          c="var(--warning)"
          fw={500}
          style={{ boxShadow: 'var(--lift)' }}
        >
          <Icon name="offline" size={16} />
          {text}
        </Group>
      )}
    </Box>
  );
}

/**
 * The command that a screen was opened for. It is in the tab's history and runs once, so no link can contain it, and neither
 * Back nor a reload repeats it.
 */
function useWaitingCommand() {
  const name = useRouterState({ select: ({ location }) => location.state.command });
  const navigate = useNavigate();
  return useMemo(() => {
    if (name === undefined) return null;
    const state = ({ command: _done, ...rest }: HistoryState) => rest;
    const onPress = () =>
      void navigate({ to: '.', search: true, state, replace: true, resetScroll: false, ignoreBlocker: true });
    return { name, onPress };
  }, [name, navigate]);
}
