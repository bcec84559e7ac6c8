import { useMantineColorScheme } from '@mantine/core';
import type { ListedUser, UserAction } from '@steward/contract/users';
import { useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import { openShortcuts } from '../help/shortcuts.ts';
import type { PaletteAction } from './choices.ts';

interface Means {
  /** Gives the focus back to where it was before the palette was opened. */
  restoreFocus: () => void;
  openUserDialog: (name: UserAction, user: ListedUser) => void;
}

/** Runs the chosen action. */
export function useRunAction({ restoreFocus, openUserDialog }: Means): (action: PaletteAction) => void {
  const navigate = useNavigate();
  const router = useRouter();
  const { setColorScheme } = useMantineColorScheme();
  const goTo = ({ to, search, command }: Extract<PaletteAction, { to: string }>) => {
    const isHere = router.state.location.pathname === to;
    const state = command === undefined ? {} : { command };
    if (isHere && search === undefined) {
      // A screen that is shown already keeps its search.
      void navigate({ to: '.', search: true, state, replace: true, resetScroll: false });
    } else {
      void navigate({ to, search: search === undefined ? {} : { search }, state });
    }
    // Another screen takes the focus when it appears.
    if (isHere && command === undefined) document.getElementById('main')?.focus({ preventScroll: true });
  };
  return (action) => {
    if ('to' in action) return goTo(action);
    restoreFocus();
    if ('user' in action) openUserDialog(action.name, action.user);
    else if (action.act === 'switch team') openSwitchTeam();
    else if (action.act === 'shortcuts') openShortcuts();
    else setColorScheme(action.act);
  };
}

/**
 * Presses the button that a screen was opened for, as soon as it is rendered. The command travels in the tab's
 * history and is done once: no link can carry it, and neither Back nor a reload repeats it.
 */
export function useCommand(): void {
  const command = useRouterState({ select: ({ location }) => location.state.command });
  const navigate = useNavigate();
  const press = useEffectEvent((button: HTMLElement) => {
    void navigate({
      to: '.',
      search: true,
      state: ({ command: _done, ...rest }) => rest,
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    });
    button.focus({ preventScroll: true });
    button.click();
  });
  useEffect(() => {
    if (command === undefined) return;
    return waitForElement(`#main [data-command="${CSS.escape(command)}"]`, press);
  }, [command]);
}

/** Calls back when an element appears, after the effects of the new screen; until the returned function is called. */
function waitForElement(selector: string, onFound: (element: HTMLElement) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const check = () => {
    const found = document.querySelector<HTMLElement>(selector);
    if (found === null || timer !== undefined) return;
    watcher.disconnect();
    timer = setTimeout(() => onFound(found));
  };
  const watcher = new MutationObserver(check);
  watcher.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-command'] });
  check();
  return () => {
    watcher.disconnect();
    clearTimeout(timer);
  };
}
