import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { closeSwitchTeam, useIsSwitchTeamOpen } from '#workspace/teams/switch-team.ts';
import { ConnectionNotice } from '../header/connection-notice.tsx';
import { Header } from '../header/header.tsx';
import { closeShortcuts, useAreShortcutsOpen, useShortcutsKey } from '../help/shortcuts.ts';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useCommand } from './use-command.ts';

// Dialogs come with code that the first screen does not need.
const SwitchTeamDialog = lazyComponent(
  async () => (await import('#workspace/teams/switch-team-dialog.tsx')).SwitchTeamDialog,
);
const ShortcutsDialog = lazyComponent(async () => (await import('../help/shortcuts-dialog.tsx')).ShortcutsDialog);
const SidebarDrawer = lazyComponent(async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer);

/** Header, sidebar and the screen between them. */
export function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isSwitchTeamOpen = useIsSwitchTeamOpen();
  const hasMenuBeenOpened = useHasBeenTrue(isMenuOpen);
  const hasSwitchTeamBeenOpened = useHasBeenTrue(isSwitchTeamOpen);
  const areShortcutsOpen = useAreShortcutsOpen();
  const haveShortcutsBeenOpened = useHasBeenTrue(areShortcutsOpen);
  useFocusOnNewScreen(main);
  useShortcutsKey();
  useCommand();

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
        {children}
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

/** True from the first time `value` is true, so that what it opens can close with its transition. */
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
